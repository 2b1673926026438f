package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.HeldInstances;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import org.jspecify.annotations.Nullable;

/**
 * A label of the exact search: one way to reach the state {@code held} at a barrier.
 *
 * @param held the instances when the next group begins
 * @param releasedRental index of the offer that was just released completely, and cannot be
 *     requested again at once; -1 if none
 * @param partlyReleased whether instances were released because the next group does not need them
 * @param total instances summed over the groups before
 * @param parent the label of the group before; null at the start
 * @param size of the group before; null at the start
 * @param instances of the group before
 */
record SearchLabel(
    HeldInstances held,
    int releasedRental,
    boolean partlyReleased,
    int total,
    @Nullable SearchLabel parent,
    @Nullable TrialShape size,
    int instances) {

  /** Returns a label at the start of a chain. */
  static SearchLabel beginning(HeldInstances heldInstances, int let, boolean shrunk) {
    return new SearchLabel(heldInstances, let, shrunk, 0, null, null, 0);
  }

  /** Whether the next group may run on this offer. */
  boolean mayUse(OfferChoice offerChoice) {
    return held.count() > 0
        ? offerChoice.index() == held.offerChoice()
        : offerChoice.index() != releasedRental;
  }

  /** Returns the label after one more group, on so many instances of a size. */
  SearchLabel next(HeldInstances after, int let, boolean shrunk, TrialShape trialShape, int count) {
    return new SearchLabel(after, let, shrunk, total + count, this, trialShape, count);
  }

  /** Returns the plan that ends with one more group, on so many instances of a size. */
  ChainCandidate candidate(
      MeanValueModel model, TrialShape trialShape, int count, HeldInstances end) {
    TrialShape[] trialShapes = new TrialShape[model.groups()];
    int[] instances = new int[model.groups()];
    int group = model.groups() - 1;
    trialShapes[group] = trialShape;
    instances[group] = count;
    for (SearchLabel at = this; at != null && at.size() != null; at = at.parent()) {
      group--;
      trialShapes[group] = at.size();
      instances[group] = at.instances();
    }
    double costUsd = end.costUsd() + end.timeS() * model.clockUsdPerS();
    double completionS = model.safeS(end.timeS(), end.varianceS2());
    return ChainCandidate.of(trialShapes, instances, completionS, end.timeS(), costUsd);
  }
}
