package io.elastune.executor.decision.model;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.RungProgress;
import io.elastune.core.timeline.TrainedGroup;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a run for which the rest is to be re-planned. Seconds count from the start of the
 * run, and USD are those of the whole run.
 *
 * @param atS the present time
 * @param settledUsd the bills of all ended leases, and the data transfer of all requested ones
 * @param pace ratio of measured to profiled training time
 * @param startupShiftS seconds by which start-ups take longer than profiled
 * @param deadlineS deadline of the run
 * @param budgetUsd budget of the run
 * @param chains the chains that have not ended
 * @param refused offers of which no more instances are available at present
 * @param prices by offer: USD per hour, where it differs from the definition
 * @param losses by offer: the instances that the run has lost, and the hours in which that happened
 * @param rungs how far a search made of rungs has come; empty for another search
 */
public record ReplanRequest(
    double atS,
    double settledUsd,
    double pace,
    double startupShiftS,
    OptionalDouble deadlineS,
    OptionalDouble budgetUsd,
    List<ChainProgress> chains,
    List<String> refused,
    Map<String, Double> prices,
    SortedMap<String, ObservedLosses> losses,
    Optional<RungProgress> rungs) {
  public ReplanRequest {
    chains = List.copyOf(chains);
    refused = List.copyOf(refused);
    prices = Collections.unmodifiableMap(new TreeMap<>(prices));
    losses = Collections.unmodifiableSortedMap(new TreeMap<>(losses));
  }

  /**
   * One chain.
   *
   * @param name as in the job
   * @param underWay the group in progress: its remaining trials, and their mean number of units
   *     still to train
   * @param endS when that group is expected to end under the present plan
   * @param running whether any of its trials is running
   * @param canGoOn whether it holds, or waits for, the instances that one trial needs
   * @param later groups that have not started
   * @param allocations the present allocations of all these groups
   * @param held instances of the offer that the group in progress uses
   * @param present the trials of the group in progress one by one, where chains share instances
   * @param trained the group in progress at its end, where programs wait for the next group; its
   *     instances are those held, in order
   */
  public record ChainProgress(
      String name,
      TrialGroup underWay,
      double endS,
      boolean running,
      boolean canGoOn,
      List<TrialGroup> later,
      Map<String, Allocation> allocations,
      List<RentedInstance> held,
      Optional<PresentGroup> present,
      Optional<TrainedGroup> trained) {
    /** A chain with instances of its own. */
    public ChainProgress(
        String name,
        TrialGroup underWay,
        double endS,
        boolean running,
        boolean canGoOn,
        List<TrialGroup> later,
        Map<String, Allocation> allocations,
        List<RentedInstance> held) {
      this(
          name,
          underWay,
          endS,
          running,
          canGoOn,
          later,
          allocations,
          held,
          Optional.empty(),
          Optional.empty());
    }

    public ChainProgress {
      later = List.copyOf(later);
      allocations = Collections.unmodifiableMap(new TreeMap<>(allocations));
      held = List.copyOf(held);
    }

    /** The allocation of the group in progress. */
    public Allocation allocation() {
      Allocation allocation = allocations.get(underWay.name());
      if (allocation == null) {
        throw new IllegalStateException("no allocation for group " + underWay.name());
      }
      return allocation;
    }
  }
}
