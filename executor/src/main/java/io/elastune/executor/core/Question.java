package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Where a run stands when the rest of it is to be planned anew. Seconds count from the run's
 * beginning, dollars are those of the run as a whole.
 *
 * @param atS now
 * @param settledUsd the bills of all leases that have ended, and data-in of all requested
 * @param pace how many times as long as profiled trials take
 * @param deadlineS what the run has to keep
 * @param budgetUsd what it may spend
 * @param chains those that have not ended
 * @param refused offers of which no more are to be had at present
 * @param prices by offer: dollars an hour, where they are not what the definition says
 */
public record Question(
    double atS,
    double settledUsd,
    double pace,
    OptionalDouble deadlineS,
    OptionalDouble budgetUsd,
    List<Chain> chains,
    List<String> refused,
    Map<String, Double> prices) {
  public Question {
    chains = List.copyOf(chains);
    refused = List.copyOf(refused);
    prices = Collections.unmodifiableMap(new TreeMap<>(prices));
  }

  /**
   * One chain.
   *
   * @param name as in the job
   * @param underWay the group that has started: the trials it still has, and the most units that
   *     one of them lacks
   * @param endS when that group is expected to end if it goes on as it does
   * @param running whether trials of it run
   * @param canGoOn whether it holds, or waits for, what at least one trial needs
   * @param later groups that have not started
   * @param allocations of all these groups, as they are now
   * @param held instances, of the offer that the group under way uses
   */
  public record Chain(
      String name,
      TrialGroup underWay,
      double endS,
      boolean running,
      boolean canGoOn,
      List<TrialGroup> later,
      Map<String, Allocation> allocations,
      List<Instance> held) {
    public Chain {
      later = List.copyOf(later);
      allocations = Collections.unmodifiableMap(new TreeMap<>(allocations));
      held = List.copyOf(held);
    }

    /** What the group under way holds. */
    public Allocation allocation() {
      Allocation allocation = allocations.get(underWay.name());
      if (allocation == null) {
        throw new IllegalStateException("no allocation for group " + underWay.name());
      }
      return allocation;
    }
  }

  /**
   * An instance that is held.
   *
   * @param runningS since when it is billed; expected, for one that is pending
   * @param readyS when it is, or is expected to be, ready
   * @param usedS seconds in which a trial ran on it
   */
  public record Instance(String offer, double runningS, double readyS, double usedS) {}
}
