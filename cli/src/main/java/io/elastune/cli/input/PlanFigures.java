package io.elastune.cli.input;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.PolicyStops;
import io.elastune.simulator.RankModel;
import io.elastune.simulator.SamplingProgress;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Figures of a plan beyond its estimate. Each is simulated at its first use, and once for the
 * screen and for JSON. Not thread-safe.
 */
public final class PlanFigures {
  /** Samples of a plan that was not predicted before. */
  private static final int SAMPLES = 4096;

  /** Means of counts need few samples. */
  private static final int STOP_SAMPLES = 256;

  private final Once<Estimate> prediction;
  private final Once<Optional<SpotComparison>> spot;
  private final Once<OptionalDouble> spendingGuardUsd;
  private final Once<Optional<PolicyStops>> stops;
  private final RankModel ranks;
  private final List<Distribution> rungTasks;

  /** Creates the figures of a plan that was predicted without learning curves. */
  public PlanFigures(Problem problem, Plan plan) {
    this(problem, plan, () -> new Simulator(problem, SAMPLES).simulate(plan));
  }

  /**
   * Creates the figures of a plan with its prediction without learning curves, to which figures
   * compare others with the same random numbers.
   */
  public PlanFigures(Problem problem, Plan plan, Estimate predicted) {
    this(problem, plan, () -> predicted);
  }

  private PlanFigures(Problem problem, Plan plan, Supplier<Estimate> prediction) {
    this(
        problem,
        plan,
        RankModel.of(problem),
        List.of(),
        () -> stops(problem, plan),
        prediction);
  }

  /**
   * Creates the figures of a plan that was predicted.
   *
   * @param ranks the ranks of the trials, and learning curves if there are any
   */
  public PlanFigures(Problem problem, Plan plan, RankModel ranks, IncrementalSampling predicted) {
    this(
        problem,
        plan,
        ranks,
        predicted.rungTasks(),
        predicted::policyStops,
        () -> new Simulator(problem, SAMPLES).simulate(plan));
  }

  private PlanFigures(
      Problem problem,
      Plan plan,
      RankModel ranks,
      List<Distribution> rungTasks,
      Supplier<Optional<PolicyStops>> stops,
      Supplier<Estimate> prediction) {
    this.prediction = new Once<>(progress -> prediction.get());
    this.spot =
        new Once<>(progress -> SpotComparison.of(problem, plan, this.prediction::get));
    this.spendingGuardUsd = new Once<>(progress -> SpendingGuards.usd(problem, plan, progress));
    this.stops = new Once<>(progress -> stops.get());
    this.ranks = ranks;
    this.rungTasks = List.copyOf(rungTasks);
  }

  private static final class Once<T> {
    private final Function<SamplingProgress, T> source;
    private @Nullable T value;

    Once(Function<SamplingProgress, T> source) {
      this.source = source;
    }

    T get() {
      return get(SamplingProgress.NONE);
    }

    T get(SamplingProgress progress) {
      if (value == null) {
        value = Objects.requireNonNull(source.apply(progress));
      }
      return value;
    }
  }

  private static Optional<PolicyStops> stops(Problem problem, Plan plan) {
    if (!problem.policy().choosesSizes()) {
      return Optional.empty();
    }
    IncrementalSampling sampling = new Simulator(problem, STOP_SAMPLES).sampling(plan);
    sampling.sampleUpTo(STOP_SAMPLES);
    return sampling.policyStops();
  }

  /** Returns the ranks of the trials, and learning curves if there are any. */
  public RankModel ranks() {
    return ranks;
  }

  /** Returns the predicted tasks of each rung; empty if they have yet to be predicted. */
  public List<Distribution> rungTasks() {
    return rungTasks;
  }

  /**
   * Returns the prediction of the plan without learning curves, from the first random numbers of
   * the problem.
   */
  public Estimate prediction() {
    return prediction.get();
  }

  /** Returns the comparison of the plan's spot capacity with capacity on demand. */
  public Optional<SpotComparison> spot() {
    return spot.get();
  }

  /** Returns the spending guard in USD; empty with a budget, and if nothing is charged. */
  public OptionalDouble spendingGuardUsd() {
    return spendingGuardUsd.get();
  }

  /**
   * Returns the spending guard in USD; empty with a budget, and if nothing is charged.
   *
   * @param progress receives the progress of the simulation at the first use, which may take long
   */
  public OptionalDouble spendingGuardUsd(SamplingProgress progress) {
    return spendingGuardUsd.get(progress);
  }

  /**
   * Returns how often the policy of the plan ends running trials; empty without one, and if that
   * depends on unknown metrics.
   */
  public Optional<PolicyStops> stops() {
    return stops.get();
  }
}
