package io.elastune.planner.api;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The result of a search for a plan. */
public sealed interface PlanResult {
  /** The start of the remarks about things that could not be proven. */
  String NOT_PROVEN = "not proven optimal";

  /** The remark of a search that the time limit ended: the user can give it more time. */
  String CUT_SHORT =
      NOT_PROVEN + ": the time limit was reached; a longer search may find a cheaper plan";

  /** Calls the function for the variant that this is. */
  <R> R match(
      Function<Found, R> found,
      Function<Infeasible, R> infeasible,
      Function<Impossible, R> impossible);

  /**
   * A plan that meets the limits.
   *
   * @param plan the best plan found
   * @param estimate its predicted completion time and cost
   * @param baselines plans to compare with
   * @param optimum how far it may be from the best possible plan
   * @param frontier other plans, the fastest and most expensive first
   * @param steps the steps by which the greedy planner found it; empty if another search did
   * @param remarks one sentence for each thing that could not be proven
   * @param samples what was sampled of these plans
   */
  record Found(
      Plan plan,
      Estimate estimate,
      List<Baseline> baselines,
      Optimum optimum,
      List<FrontierPoint> frontier,
      List<GreedyStep> steps,
      List<String> remarks,
      SampledPlans samples)
      implements PlanResult {
    public Found {
      baselines = List.copyOf(baselines);
      frontier = List.copyOf(frontier);
      steps = List.copyOf(steps);
      remarks = List.copyOf(remarks);
    }

    /** Returns the same plan with another prediction. */
    public Found withEstimate(Estimate other) {
      return new Found(plan, other, baselines, optimum, frontier, steps, remarks, samples);
    }

    /** Returns this result with more baselines. */
    public Found withBaselines(List<Baseline> more) {
      List<Baseline> all = new ArrayList<>(baselines);
      all.addAll(more);
      return new Found(plan, estimate, all, optimum, frontier, steps, remarks, samples);
    }

    /** Returns the same result without the samples, which need memory. */
    public Found withoutSamples() {
      return new Found(
          plan, estimate, baselines, optimum, frontier, steps, remarks, SampledPlans.NONE);
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
   * No plan was found that meets the limits.
   *
   * @param violated each limit that fails, and by how much; never empty
   * @param nearest limits that could be met
   * @param samples what was sampled of the plans of the frontier
   */
  record Infeasible(
      List<LimitViolation> violated,
      Nearest nearest,
      List<Baseline> baselines,
      List<FrontierPoint> frontier,
      List<String> remarks,
      SampledPlans samples)
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
   * No offer can hold a group.
   *
   * @param reason one sentence for each offer
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
   * Limits that could be met, as near to the requested ones as was found.
   *
   * @param deadlineS seconds; empty when no deadline was requested
   * @param budgetUsd dollars; empty when no budget was requested
   * @param together whether both must be relaxed; else relaxing either one is enough
   */
  record Nearest(OptionalDouble deadlineS, OptionalDouble budgetUsd, boolean together) {}
}
