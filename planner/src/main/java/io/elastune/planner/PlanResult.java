package io.elastune.planner;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** What became of the search for a plan. */
public sealed interface PlanResult {
  /** Calls the function for the kind that this is. */
  <R> R match(
      Function<Found, R> found,
      Function<Infeasible, R> infeasible,
      Function<Impossible, R> impossible);

  /**
   * A plan that keeps the limits.
   *
   * @param plan the best found
   * @param estimate what it is predicted to take and cost
   * @param baselines plans to compare with
   * @param optimum how far it may be from the best possible
   * @param frontier other choices, the fastest and dearest first
   * @param steps how the greedy planner came to its plan, for {@code explain}; empty for the others
   * @param remarks a sentence for everything that could not be proven
   */
  record Found(
      Plan plan,
      Estimate estimate,
      List<Baseline> baselines,
      Optimum optimum,
      List<FrontierPoint> frontier,
      List<Step> steps,
      List<String> remarks)
      implements PlanResult {
    public Found {
      baselines = List.copyOf(baselines);
      frontier = List.copyOf(frontier);
      steps = List.copyOf(steps);
      remarks = List.copyOf(remarks);
    }

    @Override
    public <R> R match(
        Function<Found, R> found,
        Function<Infeasible, R> infeasible,
        Function<Impossible, R> impossible) {
      return found.apply(this);
    }
  }

  /**
   * No plan that keeps the limits was found.
   *
   * @param violated each limit that fails, and by how much; never empty
   * @param nearest limits that could be kept
   */
  record Infeasible(
      List<Violation> violated,
      Nearest nearest,
      List<Baseline> baselines,
      List<FrontierPoint> frontier,
      List<String> remarks)
      implements PlanResult {
    public Infeasible {
      violated = List.copyOf(violated);
      baselines = List.copyOf(baselines);
      frontier = List.copyOf(frontier);
      remarks = List.copyOf(remarks);
    }

    @Override
    public <R> R match(
        Function<Found, R> found,
        Function<Infeasible, R> infeasible,
        Function<Impossible, R> impossible) {
      return infeasible.apply(this);
    }
  }

  /**
   * No offer can hold a group at all.
   *
   * @param reason a sentence for each offer
   */
  record Impossible(String reason) implements PlanResult {
    @Override
    public <R> R match(
        Function<Found, R> found,
        Function<Infeasible, R> infeasible,
        Function<Impossible, R> impossible) {
      return impossible.apply(this);
    }
  }

  /**
   * Limits that could be kept, as near to those asked for as was found.
   *
   * @param deadlineS seconds; empty when no deadline was asked for
   * @param budgetUsd dollars; empty when no budget was asked for
   * @param together whether both must be granted at once; else either one is enough, with the other
   *     as it was asked for
   */
  record Nearest(OptionalDouble deadlineS, OptionalDouble budgetUsd, boolean together) {}
}
