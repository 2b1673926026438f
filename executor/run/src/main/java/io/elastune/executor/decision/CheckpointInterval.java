package io.elastune.executor.decision;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.ObservedLosses;
import io.elastune.executor.decision.model.RunDefinition;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decides how often trials save checkpoints: as predicted, or in a run that may change its plan, at
 * the fault rates that it has learned so far.
 */
final class CheckpointInterval {
  private CheckpointInterval() {}

  /**
   * Returns the units between two checkpoints of an attempt in {@code group}, 0 for a checkpoint
   * after its last unit only; empty if trials save as they like.
   */
  static OptionalInt of(Transition transition, TrialGroup group) {
    RunDefinition definition = transition.definition;
    boolean unpredicted = definition.plan().shared() || definition.dividesInstances();
    if (group.saves().isEmpty() || unpredicted) {
      return OptionalInt.empty();
    }
    Allocation allocation = transition.allocation(group);
    Offer offer = definition.offer(allocation.offer());
    Optional<Profile> profile = definition.profile(offer);
    if (profile.isEmpty()) {
      RunDefinition.Forecast forecast = definition.forecasts().get(group.name());
      return forecast == null ? OptionalInt.empty() : forecast.checkpointEvery();
    }
    Offer learned =
        offer.withFaults(ObservedLosses.learned(offer, LeaseLosses.byOffer(transition.snapshot())));
    CheckpointSchedule schedule = CheckpointSchedule.of(group, learned, profile.get(), allocation);
    return schedule.decided() ? OptionalInt.of(schedule.every()) : OptionalInt.empty();
  }
}
