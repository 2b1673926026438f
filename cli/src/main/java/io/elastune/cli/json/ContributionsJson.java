package io.elastune.cli.json;

import io.elastune.simulator.Contributions;
import io.elastune.simulator.Contributions.GroupTime;
import io.elastune.simulator.Contributions.Saving;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Converts the contributions to the completion time, and the possible savings, to JSON. */
public final class ContributionsJson {
  private ContributionsJson() {}

  /** Adds the fields {@code completion_by} and {@code would_help}. */
  public static void addTo(ObjectNode document, Contributions contributions) {
    ArrayNode groups = document.putArray("completion_by");
    for (GroupTime time : contributions.byGroup()) {
      groups
          .addObject()
          .put("group", time.group())
          .put("queue_s", time.queueS())
          .put("boot_s", time.bootS())
          .put("startup_s", time.startupS())
          .put("training_s", time.trainingS())
          .put("straggling_s", time.stragglingS());
    }
    ArrayNode savings = document.putArray("would_help");
    for (Saving saving : contributions.wouldHelp()) {
      savings.addObject().put("cause", saving.cause().word()).put("sooner_s", saving.soonerS());
    }
  }
}
