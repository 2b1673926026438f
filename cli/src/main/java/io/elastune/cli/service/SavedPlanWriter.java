package io.elastune.cli.service;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.PlanFile;
import io.elastune.core.config.SavedPlan;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.StalenessCheck;
import io.elastune.plan.json.FoundPlanDocument;
import io.elastune.plan.json.JsonDocuments;
import io.elastune.planner.api.FrontierPoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes plan files that {@code elastune run} can start without any other file. */
public final class SavedPlanWriter {
  private final CliEnvironment cliEnvironment;

  public SavedPlanWriter(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  /**
   * Writes the plan with its predictions, its job, and the hashes that show whether it is stale.
   *
   * @param withFrontier whether to write the time–cost frontier too, so that {@code run --choice}
   *     can start another of its plans
   */
  public void write(FoundPlan answer, boolean withFrontier, Path file) {
    ObjectNode document = JsonDocuments.of(FoundPlanDocument.of(answer, withFrontier));
    PlanDocument saved =
        PlanDocument.of(
            answer.found().plan(),
            answer.problem().workload(),
            Optional.of(provenance(answer, withFrontier)));
    document.set(
        "saved", JsonMapper.shared().valueToTree(PlanFile.tree(saved).getOrDefault("saved", "")));
    AtomicFileWriter.write(file, document.toPrettyString() + "\n");
  }

  private SavedPlan provenance(FoundPlan answer, boolean withFrontier) {
    Inputs inputs = answer.inputs();
    List<String> profiles = inputs.profiles().stream().map(LoadedFile::text).toList();
    String offers = inputs.catalog().text();
    return new SavedPlan(
        cliEnvironment.clock().instant(),
        new SavedPlan.SavedJob(
            String.valueOf(inputs.job().path().getFileName()),
            inputs.job().folder().toString(),
            JobFile.write(inputs.job().value())),
        profiles,
        offers,
        StalenessCheck.hashes(inputs.job().text(), profiles, offers),
        prices(answer, withFrontier));
  }

  /** Returns the prices of all offers used, before the discount, as in the offers file. */
  private static Map<String, Double> prices(FoundPlan answer, boolean withFrontier) {
    Map<String, Double> prices = new TreeMap<>();
    Stream.concat(
            Stream.of(answer.found().plan()),
            answer.found().frontier().stream()
                .filter(point -> withFrontier)
                .map(FrontierPoint::plan))
        .flatMap(plan -> plan.allocations().values().stream())
        .map(Allocation::offer)
        .distinct()
        .forEach(
            name ->
                answer
                    .inputs()
                    .catalog()
                    .value()
                    .find(name)
                    .map(Offer::usdPerHour)
                    .ifPresent(usd -> prices.put(name, usd)));
    return prices;
  }
}
