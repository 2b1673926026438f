package io.elastune.planner;

import java.util.ArrayList;
import java.util.List;

/** Describes plans and their changes as text. */
final class Wording {
  private Wording() {}

  /** E.g. {@code group 2: 4 × g=1 → 2 × g=1; group 3: …}. */
  static String change(ChainModel model, Draft from, Draft to) {
    List<String> changes = new ArrayList<>();
    for (int group = 0; group < model.groups(); group++) {
      boolean otherOffer = !from.sizes().get(group).rental().equals(to.sizes().get(group).rental());
      String before = allocation(from, group, otherOffer);
      String after = allocation(to, group, otherOffer);
      if (!before.equals(after)) {
        changes.add("group " + model.group(group).name() + ": " + before + " → " + after);
      }
    }
    return String.join("; ", changes);
  }

  private static String allocation(Draft draft, int group, boolean withOffer) {
    Size size = draft.sizes().get(group);
    String offer = withOffer ? size.rental().offer().name() + " " : "instances ";
    String sharing =
        size.trialsPerGpu() > 1
            ? ", " + size.trialsPerGpu() + " trials per GPU"
            : ", " + size.gpusPerTrial() + " GPUs per trial";
    return draft.instances().get(group) + " " + offer.strip() + sharing;
  }
}
