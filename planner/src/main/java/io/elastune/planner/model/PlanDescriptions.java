package io.elastune.planner.model;

import java.util.ArrayList;
import java.util.List;

/** Describes plans and their changes as text. */
public final class PlanDescriptions {
  private PlanDescriptions() {}

  /** E.g. {@code group 2: 4 × g=1 → 2 × g=1; group 3: …}. */
  public static String change(MeanValueModel model, ChainCandidate from, ChainCandidate to) {
    List<String> changes = new ArrayList<>();
    for (int group = 0; group < model.groups(); group++) {
      boolean otherOffer =
          !from.sizes().get(group).offerChoice().equals(to.sizes().get(group).offerChoice());
      String before = allocation(from, group, otherOffer);
      String after = allocation(to, group, otherOffer);
      if (!before.equals(after)) {
        changes.add("group " + model.group(group).name() + ": " + before + " → " + after);
      }
    }
    return String.join("; ", changes);
  }

  private static String allocation(ChainCandidate chainCandidate, int group, boolean withOffer) {
    TrialShape trialShape = chainCandidate.sizes().get(group);
    String offer = withOffer ? trialShape.offerChoice().offer().name() + " " : "instances ";
    String sharing =
        trialShape.trialsPerGpu() > 1
            ? ", " + trialShape.trialsPerGpu() + " trials per GPU"
            : ", " + trialShape.gpusPerTrial() + " GPUs per trial";
    return chainCandidate.instances().get(group) + " " + offer.strip() + sharing;
  }
}
