package io.elastune.planner.api;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.IncrementalSampling;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a planner has sampled: who compares its plans continues with these samples, instead of
 * drawing the same numbers again. It holds the draws of the planner in memory, so it is released
 * with {@link PlanResult.Found#withoutSamples} as soon as the plan is chosen.
 *
 * <p>It saves time and is no part of a result: two of them are always equal.
 */
public final class SampledPlans {
  /** Without any sample. */
  public static final SampledPlans NONE = new SampledPlans(Optional.empty());

  private final Optional<Source> source;

  private record Source(
      Problem problem,
      Function<Plan, IncrementalSampling> samplings,
      Function<Plan, Optional<Estimate>> estimates) {}

  private SampledPlans(Optional<Source> source) {
    this.source = source;
  }

  /**
   * Creates the samples of a planner.
   *
   * @param samplings returns the sampling of a plan, with all samples so far
   * @param estimates returns the final estimate of a plan; empty if a time limit prevents it
   */
  public static SampledPlans of(
      Problem problem,
      Function<Plan, IncrementalSampling> samplings,
      Function<Plan, Optional<Estimate>> estimates) {
    return new SampledPlans(Optional.of(new Source(problem, samplings, estimates)));
  }

  /** Returns the sampling of a plan; empty if the planner has solved another problem. */
  public Optional<IncrementalSampling> sampling(Problem problem, Plan plan) {
    return of(problem).map(own -> own.samplings().apply(plan));
  }

  /**
   * Returns the estimate of a plan by the samples of a final estimate; empty if the planner has
   * solved another problem, or if its time limit prevents it.
   */
  public Optional<Estimate> estimate(Problem problem, Plan plan) {
    return of(problem).flatMap(own -> own.estimates().apply(plan));
  }

  private Optional<Source> of(Problem problem) {
    return source.filter(own -> own.problem().equals(problem));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SampledPlans;
  }

  @Override
  public int hashCode() {
    return 0;
  }

  @Override
  public String toString() {
    return source.isPresent() ? "samples of a planner" : "no samples";
  }
}
