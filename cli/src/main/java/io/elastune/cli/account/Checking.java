package io.elastune.cli.account;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.screen.TextTable;
import io.elastune.cli.wiring.JobLoader;
import io.elastune.cli.wiring.Loaded;
import io.elastune.cli.wiring.OfferSource;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.job.Resources;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.RefusalReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Implements the command {@code check}: checks whether a run could start. Costs nothing. */
public final class Checking {
  private final World world;
  private final Output output;
  private final Accounts accounts;

  /** Creates the service. Skipped providers are reported to standard error. */
  public Checking(World world, Output output) {
    this.world = world;
    this.output = output;
    accounts = new Accounts(world.cloudContext(), world.err()::println);
  }

  /** Checks what {@code job} needs, or without one, what the settings name. */
  public ExitCode check(Optional<String> job, List<String> infra) {
    CapacityRequest capacityRequest =
        job.map(file -> need(file, infra))
            .orElseGet(() -> new CapacityRequest(infra, List.of(), 1));
    List<CheckResult> checkResults = new ArrayList<>();
    byKind(capacityRequest.places())
        .forEach(
            (kind, places) ->
                checkResults.addAll(
                    findings(
                        kind,
                        new CapacityRequest(
                            places, capacityRequest.offers(), capacityRequest.instances()))));
    show(checkResults);
    return exit(checkResults);
  }

  private CapacityRequest need(String file, List<String> infra) {
    Loaded<Job> job = new JobLoader(world).load(file, Overrides.NONE);
    Resources resources = job.value().resources();
    List<String> places = infra.isEmpty() ? resources.infra() : infra;
    OfferSource source = new OfferSource(world);
    Loaded<OfferCatalog> catalog =
        resources
            .offers()
            .map(named -> source.read(job.folder().resolve(named).normalize()))
            .orElseGet(() -> source.known(places, job.name()))
            .orThrow();
    List<Offer> offers = catalog.value().offers().stream().filter(resources::allows).toList();
    return new CapacityRequest(places, offers, resources.maxInstances());
  }

  private Map<String, List<String>> byKind(List<String> places) {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    if (places.isEmpty()) {
      accounts.setUp().forEach(kind -> kinds.put(kind, List.of()));
    }
    for (String place : places) {
      String kind = place.split("/", 2)[0];
      List<String> some = kinds.computeIfAbsent(kind, none -> new ArrayList<>());
      if (!place.equals(kind)) {
        some.add(place);
      }
    }
    return kinds;
  }

  private List<CheckResult> findings(String kind, CapacityRequest capacityRequest) {
    if (!accounts.has(kind)) {
      return List.of(CheckResult.passed(kind, "requires no account and no settings"));
    }
    List<CheckResult> checkResults = new ArrayList<>();
    accounts.use(kind, account -> checkResults.addAll(account.check(capacityRequest)));
    return checkResults;
  }

  private void show(List<CheckResult> checkResults) {
    TextTable table = new TextTable().left("check").left("").left("found");
    checkResults.forEach(
        checkResult ->
            table.row(checkResult.check(), checkResult.ok() ? "ok" : "no", checkResult.detail()));
    table.lines().forEach(output.people()::println);
    checkResults.stream()
        .filter(checkResult -> !checkResult.remedy().isEmpty())
        .forEach(f -> output.people().println(f.check() + ": " + f.remedy()));
    output.document(() -> document(checkResults));
  }

  private static ArrayNode document(List<CheckResult> checkResults) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    checkResults.forEach(
        checkResult ->
            list.addObject()
                .put("check", checkResult.check())
                .put("ok", checkResult.ok())
                .put("detail", checkResult.detail())
                .put("remedy", checkResult.remedy().isEmpty() ? null : checkResult.remedy()));
    return list;
  }

  /** Returns the exit code of a run: missing permissions come before capacity and quotas. */
  private static ExitCode exit(List<CheckResult> checkResults) {
    Set<RefusalReason> kinds =
        checkResults.stream()
            .filter(f -> !f.ok())
            .map(CheckResult::refusal)
            .collect(Collectors.toSet());
    if (kinds.isEmpty()) {
      return ExitCode.DONE;
    }
    if (kinds.contains(RefusalReason.PERMISSION)) {
      return ExitCode.NO_PERMISSION;
    }
    return kinds.equals(Set.of(RefusalReason.INVALID)) ? ExitCode.USAGE : ExitCode.NO_CAPACITY;
  }
}
