package io.elastune.planner;

import io.elastune.core.Check;
import io.elastune.core.plan.TrialGroup;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Where a run stands when the rest of it is to be planned anew. All seconds are from the start of
 * the run, all dollars of the run as a whole, so that its limits hold as they were given.
 *
 * @param atS now
 * @param settledUsd the bills of all leases that have ended, and data-in of all requested
 * @param chains those that have groups left; the others are done
 */
public record Standing(double atS, double settledUsd, List<Chain> chains) {
  public Standing {
    Check.notNegative("atS", atS);
    Check.notNegative("settledUsd", settledUsd);
    chains = List.copyOf(chains);
    Check.that(!chains.isEmpty(), "a run of which nothing is left needs no plan");
  }

  /**
   * A chain of the job.
   *
   * @param name as in the job
   * @param left its groups that have not ended, the next one first; of that one only the trials and
   *     units that are left
   * @param held the instances that it holds, all of one offer
   * @param fromS when the first of these groups can begin, if not now: the end of the group under
   *     way, for all it holds until then
   */
  public record Chain(
      String name, List<TrialGroup> left, List<Instance> held, OptionalDouble fromS) {
    /** A chain whose next group can begin now. */
    public Chain(String name, List<TrialGroup> left, List<Instance> held) {
      this(name, left, held, OptionalDouble.empty());
    }

    public Chain {
      left = List.copyOf(left);
      held = List.copyOf(held);
      Check.that(!left.isEmpty(), "chain " + name + " has no group left");
      long offers = held.stream().map(Instance::offer).distinct().count();
      Check.that(offers <= 1, "chain " + name + " holds instances of " + offers + " offers");
    }
  }

  /**
   * An instance that is held.
   *
   * @param offer the offer's name
   * @param runningS since when it is billed; later than now for one that is pending, as far as
   *     known
   * @param readyS when it is, or is expected to be, ready
   * @param usedS seconds in which a trial ran on it: asked for where use alone is billed
   */
  public record Instance(String offer, double runningS, double readyS, double usedS) {}
}
