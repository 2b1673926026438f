package io.elastune.planner.api;

import io.elastune.core.Preconditions;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.timeline.TrainedGroup;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The state of a run from which its remaining groups are re-planned. All seconds are from the start
 * of the run and all dollars are of the run as a whole, so that its limits apply unchanged.
 *
 * @param atS now
 * @param settledUsd the bills of all leases that have ended, and data-in of all requested
 * @param chains those with remaining groups; the others have completed
 */
public record RunSnapshot(double atS, double settledUsd, List<ChainSnapshot> chains) {
  public RunSnapshot {
    Preconditions.notNegative("atS", atS);
    Preconditions.notNegative("settledUsd", settledUsd);
    chains = List.copyOf(chains);
    Preconditions.that(
        !chains.isEmpty(), "no chain has remaining groups, so there is nothing to plan");
  }

  /**
   * A chain of the job.
   *
   * @param name as in the job
   * @param left its groups that have not ended, the next one first; of that one only the remaining
   *     trials and units
   * @param held the instances that it holds, all of one offer
   * @param fromS when the first of these groups can begin, if not now: the end of the group in
   *     progress, for all it holds until then
   * @param fromS2 variance of that time, in seconds squared
   * @param before the group in progress, if it matters where its trials run
   */
  public record ChainSnapshot(
      String name,
      List<TrialGroup> left,
      List<RentedInstance> held,
      OptionalDouble fromS,
      double fromS2,
      Optional<TrainedGroup> before) {
    /** A chain whose next group can begin at a certain time. */
    public ChainSnapshot(
        String name, List<TrialGroup> left, List<RentedInstance> held, OptionalDouble fromS) {
      this(name, left, held, fromS, 0, Optional.empty());
    }

    /** A chain whose next group can begin now. */
    public ChainSnapshot(String name, List<TrialGroup> left, List<RentedInstance> held) {
      this(name, left, held, OptionalDouble.empty());
    }

    public ChainSnapshot {
      left = List.copyOf(left);
      held = List.copyOf(held);
      Preconditions.that(!left.isEmpty(), "chain " + name + " has no remaining group");
      long offers = held.stream().map(RentedInstance::offer).distinct().count();
      Preconditions.that(
          offers <= 1, "chain " + name + " holds instances of " + offers + " offers");
    }
  }
}
