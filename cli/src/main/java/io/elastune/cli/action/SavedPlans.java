package io.elastune.cli.action;

import io.elastune.cli.json.PlanJson;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.Loaded;
import io.elastune.cli.wiring.PlanAnswer;
import io.elastune.cli.wiring.Staleness;
import io.elastune.cli.wiring.WholeFiles;
import io.elastune.cli.world.World;
import io.elastune.core.files.JobFile;
import io.elastune.core.files.PlanDocument;
import io.elastune.core.files.PlanFile;
import io.elastune.core.files.SavedPlan;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes plans that can be run from the one file. */
public final class SavedPlans {
  private final World world;

  public SavedPlans(World world) {
    this.world = world;
  }

  /** Writes the plan with its predictions, its job and what tells whether it is stale. */
  public void write(PlanAnswer answer, Path file) {
    ObjectNode document = PlanJson.found(answer, false);
    PlanDocument saved =
        PlanDocument.of(
            answer.found().plan(), answer.problem().workload(), Optional.of(provenance(answer)));
    document.set(
        "saved", JsonMapper.shared().valueToTree(PlanFile.tree(saved).getOrDefault("saved", "")));
    WholeFiles.write(file, document.toPrettyString() + "\n");
  }

  private SavedPlan provenance(PlanAnswer answer) {
    Inputs inputs = answer.inputs();
    List<String> profiles = inputs.profiles().stream().map(Loaded::text).toList();
    return new SavedPlan(
        world.clock().instant(),
        new SavedPlan.SavedJob(
            String.valueOf(inputs.job().path().getFileName()),
            inputs.job().folder().toString(),
            JobFile.write(inputs.job().value())),
        profiles,
        inputs.catalog().text(),
        Staleness.hashes(inputs.job().text(), profiles, inputs.catalog().text()),
        prices(answer));
  }

  /** Of the offers used; before the discount, as they stand in the offers file. */
  private static Map<String, Double> prices(PlanAnswer answer) {
    Map<String, Double> prices = new TreeMap<>();
    for (Allocation allocation : answer.found().plan().allocations().values()) {
      answer
          .inputs()
          .catalog()
          .value()
          .find(allocation.offer())
          .map(Offer::usdPerHour)
          .ifPresent(usd -> prices.put(allocation.offer(), usd));
    }
    return prices;
  }
}
