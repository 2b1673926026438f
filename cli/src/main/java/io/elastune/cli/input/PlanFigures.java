package io.elastune.cli.input;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.PolicyStops;
import io.elastune.simulator.SamplingProgress;
import io.elastune.simulator.Simulator;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Figures of a plan beyond its estimate. Each is simulated at its first use, and once for the
 * screen and for JSON. Not thread-safe.
 */
public final class PlanFigures {
  /** Means of counts need few samples. */
  private static final int STOP_SAMPLES = 256;

  private final Once<Optional<SpotComparison>> spot;
  private final Once<OptionalDouble> spendingGuardUsd;
  private final Once<Optional<PolicyStops>> stops;
  private SamplingProgress guardProgress = SamplingProgress.NONE;

  public PlanFigures(Problem problem, Plan plan) {
    spot = new Once<>(() -> SpotComparison.of(problem, plan));
    spendingGuardUsd = new Once<>(() -> SpendingGuards.usd(problem, plan, guardProgress));
    stops = new Once<>(() -> stops(problem, plan));
  }

  private static final class Once<T> {
    private final Supplier<T> source;
    private @Nullable T value;

    Once(Supplier<T> source) {
      this.source = source;
    }

    T get() {
      if (value == null) {
        value = Objects.requireNonNull(source.get());
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

  /** Returns the comparison of the plan's spot capacity with capacity on demand. */
  public Optional<SpotComparison> spot() {
    return spot.get();
  }

  /** Simulates the spending guard now, which may take long, and reports progress. */
  public void prepareSpendingGuard(SamplingProgress progress) {
    guardProgress = progress;
    spendingGuardUsd();
    guardProgress = SamplingProgress.NONE;
  }

  /** Returns the spending guard in USD; empty with a budget, and if nothing is charged. */
  public OptionalDouble spendingGuardUsd() {
    return spendingGuardUsd.get();
  }

  /**
   * Returns how often the policy of the plan ends running trials; empty without one, and if that
   * depends on unknown metrics.
   */
  public Optional<PolicyStops> stops() {
    return stops.get();
  }
}
