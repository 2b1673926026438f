package io.elastune.cli.account;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.execute.RealRunEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.StoppingNote;
import io.elastune.cli.text.TextTable;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.job.Resources;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.search.TrialGroups;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.engine.EngineProviders;
import io.elastune.inputs.JobLoader;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.OfferSource;
import io.elastune.inputs.ServedOffers;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudProviders;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Implements the command {@code check}: checks whether a run could start. Costs nothing. */
public final class CheckService {
  private static final String REPORTS =
      "report each unit (docs/trial-protocol.md), or use variant: promotion";

  private static final String PROCESSORS = "processors";
  private static final String OTHER_TYPES =
      "name instance types with x86_64 processors in resources.instance_types, or allow all";

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final CloudAccounts cloudAccounts;

  /** Creates the service. Skipped providers are reported to standard error. */
  public CheckService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    cloudAccounts = new CloudAccounts(cliEnvironment.cloudContext(), cliEnvironment.err()::println);
  }

  /**
   * Checks what {@code job} needs, or without one, what the settings name.
   *
   * @param overrides options that override the job; require one
   */
  public ExitCode check(Optional<String> job, List<String> infra, Overrides overrides) {
    if (job.isEmpty() && !overrides.equals(Overrides.NONE)) {
      throw CommandFailure.invalid(
          "JOB",
          "is missing: the options --market, --gpu, --instance-types and --max-instances"
              + " override a job",
          "name the job file");
    }
    Optional<LoadedFile<Job>> loaded =
        job.map(file -> new JobLoader(cliEnvironment).load(file, overrides));
    CapacityRequest capacityRequest =
        loaded
            .map(file -> need(file, infra))
            .orElseGet(() -> new CapacityRequest(infra, List.of(), 1));
    ServedOffers served = ServedOffers.of(cliEnvironment.cloudContext(), capacityRequest.offers());
    List<CheckResult> checkResults = new ArrayList<>(processors(served));
    byKind(capacityRequest.places())
        .forEach(
            (kind, places) ->
                checkResults.addAll(
                    findings(
                        kind,
                        new CapacityRequest(
                            places, served.offers(), capacityRequest.instances()))));
    Instant now = cliEnvironment.cloudContext().time().instant();
    loaded
        .flatMap(
            file ->
                RealRunEnvironment.problem(cliEnvironment, file, capacityRequest.offers())
                    .map(CheckService::refused))
        .ifPresent(checkResults::add);
    loaded
        .flatMap(file -> CheckpointTransferCheck.of(file.value(), capacityRequest.places(), now))
        .ifPresent(checkResults::add);
    loaded
        .map(LoadedFile::value)
        .flatMap(one -> StoppingNote.of(one, TrialGroups.of(one.search())))
        .map(note -> CheckResult.unknown("reports", note, REPORTS))
        .ifPresent(checkResults::add);
    show(checkResults);
    return exit(checkResults);
  }

  /** Returns a result for the offers that are left out of plans; it fails if no other is left. */
  private static List<CheckResult> processors(ServedOffers served) {
    return served.refusals().stream()
        .map(
            refusal ->
                served.offers().isEmpty()
                    ? CheckResult.failed(PROCESSORS, refusal, OTHER_TYPES, RefusalReason.INVALID)
                    : CheckResult.passed(PROCESSORS, "left out of plans: " + refusal))
        .toList();
  }

  private CapacityRequest need(LoadedFile<Job> job, List<String> infra) {
    Resources resources = job.value().resources();
    List<String> places = infra.isEmpty() ? resources.infra() : infra;
    OfferSource source = new OfferSource(cliEnvironment);
    LoadedFile<OfferCatalog> catalog =
        resources
            .offers()
            .map(named -> source.read(job.folder().resolve(named).normalize()).orThrow())
            .map(read -> source.withLiveOffers(read, places))
            .orElseGet(() -> source.providerOffers(places, job.name()).orThrow());
    List<Offer> offers = catalog.value().offers().stream().filter(resources::allows).toList();
    return new CapacityRequest(places, offers, resources.maxInstances());
  }

  private Map<String, List<String>> byKind(List<String> places) {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    if (places.isEmpty()) {
      cloudAccounts.configuredProviders().forEach(kind -> kinds.put(kind, List.of()));
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
    if (!cloudAccounts.hasAccount(kind)) {
      return List.of(CheckResult.passed(kind, "requires no account and no settings"));
    }
    List<CheckResult> checkResults = new ArrayList<>();
    EngineProviders.of(kind)
        .ifPresent(
            engine ->
                checkResults.addAll(
                    engine.check(
                        cliEnvironment.cloudContext(),
                        CloudProviders.named(kind).orElseThrow(),
                        capacityRequest.places())));
    cloudAccounts.withAccount(kind, account -> checkResults.addAll(account.check(capacityRequest)));
    return checkResults;
  }

  private static CheckResult refused(ErrorDetail problem) {
    ErrorDetail finding =
        new ErrorDetail(
            problem.file(), problem.line(), problem.field(), problem.message(), Optional.empty());
    return CheckResult.failed(
        "locations", finding.toString(), problem.hint().orElse(""), RefusalReason.INVALID);
  }

  private void show(List<CheckResult> checkResults) {
    TextTable table = new TextTable().left("check").left("").left("found");
    checkResults.forEach(
        checkResult -> table.row(checkResult.check(), word(checkResult), checkResult.detail()));
    table.lines().forEach(output.text()::println);
    checkResults.stream()
        .filter(checkResult -> !checkResult.remedy().isEmpty())
        .forEach(f -> output.text().println(f.check() + ": " + f.remedy()));
    output.jsonDocument(() -> checkResults.stream().map(CheckDocument::of).toList());
  }

  private static String word(CheckResult checkResult) {
    return switch (checkResult.outcome()) {
      case OK -> "ok";
      case FAILED -> "no";
      case UNKNOWN -> "unknown";
    };
  }

  /** A check in the document of {@code check --json}. */
  public record CheckDocument(
      @JsonPropertyDescription("What was checked.") String check,
      @JsonPropertyDescription("Whether it passed; null if the outcome is unknown.")
          Optional<Boolean> ok,
      @JsonPropertyDescription("The outcome.") String outcome,
      @JsonPropertyDescription("What was found.") String detail,
      @JsonPropertyDescription("The remedy, if there is one.") Optional<String> remedy) {
    static CheckDocument of(CheckResult checkResult) {
      return new CheckDocument(
          checkResult.check(),
          Optional.of(checkResult).filter(known -> !isUnknown(known)).map(CheckResult::ok),
          checkResult.outcome().name().toLowerCase(Locale.ROOT),
          checkResult.detail(),
          Optional.of(checkResult.remedy()).filter(remedy -> !remedy.isEmpty()));
    }
  }

  private static boolean isUnknown(CheckResult checkResult) {
    return checkResult.outcome() == CheckResult.Outcome.UNKNOWN;
  }

  /** Returns the exit code of a run: missing permissions come before capacity and quotas. */
  private static ExitCode exit(List<CheckResult> checkResults) {
    Set<RefusalReason> kinds =
        checkResults.stream()
            .filter(f -> f.outcome() == CheckResult.Outcome.FAILED)
            .map(CheckResult::refusal)
            .collect(Collectors.toSet());
    if (kinds.isEmpty()) {
      return ExitCode.DONE;
    }
    if (kinds.contains(RefusalReason.PERMISSION)) {
      return ExitCode.of(RunOutcome.NO_PERMISSION);
    }
    return kinds.equals(Set.of(RefusalReason.INVALID))
        ? ExitCode.USAGE
        : ExitCode.of(RunOutcome.NO_CAPACITY);
  }
}
