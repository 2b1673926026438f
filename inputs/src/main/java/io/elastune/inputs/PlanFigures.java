package io.elastune.inputs;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.SampledPlans;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.PolicyStops;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Figures of a plan beyond its estimate. Each is simulated at its first use, and once for the
 * screen and for JSON. Not thread-safe.
 */
public final class PlanFigures {
  /** Samples for the number of tasks of each rung. */
  private static final int TASK_SAMPLES = 1000;

  /** The units of trials under a policy are played one by one; means of counts need few samples. */
  private static final int POLICY_SAMPLES = 256;

  private final Problem problem;
  private final Plan plan;
  private final ComparedPlan compared;
  private final Once<NoteSampling, Optional<SpotComparison>> spot;
  private final Once<SamplingProgress, OptionalDouble> spendingGuardUsd;
  private final Once<NoteSampling, Counts> counts;
  private final RankModel ranks;
  private final int countSamples;

  /** What is counted in samples of the plan itself. */
  private record Counts(Optional<PolicyStops> stops, List<Distribution> rungTasks) {
    /** Of groups with barriers under list scheduling. */
    static final Counts NONE = new Counts(Optional.empty(), List.of());

    static Counts of(IncrementalSampling sampling, int first) {
      return new Counts(sampling.policyStops(first), sampling.rungTasks(first));
    }
  }

  /** What is known from the prediction of the plan. */
  private record Known(
      Optional<Counts> counts,
      Optional<Estimate> predicted,
      Optional<JointSamples> samples,
      Optional<IncrementalSampling> begun) {
    static final Known NOTHING =
        new Known(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    static Known of(IncrementalSampling predicted) {
      // The ranks of the prediction may be others than those of comparisons.
      return new Known(
          Optional.of(Counts.of(predicted, Integer.MAX_VALUE)),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    static Known of(Estimate predicted) {
      return new Known(
          Optional.empty(), Optional.of(predicted), Optional.empty(), Optional.empty());
    }

    /** A planner has drawn some of the samples. */
    static Known of(Optional<IncrementalSampling> begun) {
      return new Known(Optional.empty(), Optional.empty(), Optional.empty(), begun);
    }

    /** The samples of the planner are those that would be drawn for the plan. */
    static Known of(Problem problem, PlanResult.Found found) {
      Estimate predicted = found.estimate();
      Optional<IncrementalSampling> sampling =
          found
              .samples()
              .sampling(problem, found.plan())
              .filter(of -> of.sampleUpTo(0).costUsd().length >= predicted.samples());
      return new Known(
          sampling.map(of -> Counts.of(of, countSamples(problem, Optional.of(predicted)))),
          Optional.of(predicted),
          sampling.map(of -> of.sampleUpTo(0)),
          Optional.empty());
    }
  }

  /** Creates the figures of a plan whose prediction is not known. */
  public PlanFigures(Problem problem, Plan plan) {
    this(problem, plan, RankModel.of(problem), Known.NOTHING);
  }

  /** Creates the figures of a plan of which a planner has drawn samples. */
  public PlanFigures(Problem problem, Plan plan, SampledPlans samples) {
    this(problem, plan, RankModel.of(problem), Known.of(samples.sampling(problem, plan)));
  }

  /**
   * Creates the figures of a plan that was predicted without learning curves.
   *
   * @param predicted the prediction, with which others are compared by as many samples
   */
  public PlanFigures(Problem problem, Plan plan, Estimate predicted) {
    this(problem, plan, RankModel.of(problem), Known.of(predicted));
  }

  /** Creates the figures of a plan that a planner has found. */
  public PlanFigures(Problem problem, PlanResult.Found found) {
    this(problem, found.plan(), RankModel.of(problem), Known.of(problem, found));
  }

  /**
   * Creates the figures of a plan that was predicted.
   *
   * @param ranks the ranks of the trials, and learning curves if there are any
   */
  public PlanFigures(Problem problem, Plan plan, RankModel ranks, IncrementalSampling predicted) {
    this(problem, plan, ranks, Known.of(predicted));
  }

  private PlanFigures(Problem problem, Plan plan, RankModel ranks, Known known) {
    this.problem = problem;
    this.plan = plan;
    this.ranks = ranks;
    this.compared = new ComparedPlan(problem, plan, known.predicted(), known.samples());
    this.spot = new Once<>(sampling -> SpotComparison.of(problem, plan, compared, sampling));
    this.spendingGuardUsd =
        new Once<>(progress -> SpendingGuards.usd(problem, plan, known.samples(), progress));
    this.countSamples = countSamples(problem, known.predicted());
    this.counts =
        new Once<>(
            sampling -> Counts.of(counted(known.begun(), sampling), countSamples),
            NoteSampling.isPlayed(problem)
                ? known.counts()
                : known.counts().or(() -> Optional.of(Counts.NONE)));
  }

  /** Returns a sampling with all samples that are counted. */
  private IncrementalSampling counted(Optional<IncrementalSampling> begun, NoteSampling sampling) {
    return begun
        .map(of -> sampling.sampled(of, countSamples))
        .filter(of -> of.sampleUpTo(0).costUsd().length >= countSamples) // unless time was limited
        .orElseGet(() -> sampling.sampled(problem, plan, countSamples));
  }

  private static int countSamples(Problem problem, Optional<Estimate> predicted) {
    int most =
        NoteSampling.samples(
            problem, problem.policy().choosesSizes() ? POLICY_SAMPLES : TASK_SAMPLES);
    return predicted.map(Estimate::samples).filter(all -> all < most).orElse(most);
  }

  private static final class Once<P, T> {
    private final Function<P, T> source;
    private @Nullable T value;

    Once(Function<P, T> source) {
      this(source, Optional.empty());
    }

    Once(Function<P, T> source, Optional<T> known) {
      this.source = source;
      this.value = known.orElse(null);
    }

    boolean isKnown() {
      return value != null;
    }

    T get(P progress) {
      if (value == null) {
        value = Objects.requireNonNull(source.apply(progress));
      }
      return value;
    }
  }

  /** Returns the estimate of the plan with which others are compared: its prediction if known. */
  public Estimate compared(NoteSampling sampling) {
    return compared.estimate(sampling);
  }

  /**
   * Returns the estimate of another plan or problem, from the same random numbers as {@link
   * #compared}.
   */
  public Estimate other(Problem otherProblem, Plan otherPlan, NoteSampling sampling) {
    return compared.other(otherProblem, otherPlan, sampling);
  }

  /**
   * Returns by how much the plan takes longer and costs more than in another problem, from the same
   * random numbers: by as many samples as its estimate, or by as many as show it as exactly.
   */
  public MeanDifference differenceTo(Problem otherProblem, NoteSampling sampling) {
    return compared.differenceTo(otherProblem, sampling);
  }

  /**
   * Returns the number of samples that {@link #spot}, {@link #stops}, {@link #rungTasks} and
   * comparisons have yet to take.
   *
   * @param others the number of comparisons, apart from {@link #spot}
   */
  public int samplesLeft(int others) {
    boolean comparesMarkets = !spot.isKnown() && SpotComparison.exists(problem, plan);
    int comparisons = others + (comparesMarkets ? 1 : 0);
    return compared.samplesLeft(comparisons) + (counts.isKnown() ? 0 : countSamples);
  }

  /** Returns the ranks of the trials, and learning curves if there are any. */
  public RankModel ranks() {
    return ranks;
  }

  /** Returns the predicted tasks of each rung; empty for groups with barriers. */
  public List<Distribution> rungTasks() {
    return rungTasks(NoteSampling.silent());
  }

  /** Returns the same as {@link #rungTasks()}, and reports the progress at the first use. */
  public List<Distribution> rungTasks(NoteSampling sampling) {
    return counts.get(sampling).rungTasks();
  }

  /** Returns the comparison of the plan's spot capacity with capacity on demand. */
  public Optional<SpotComparison> spot() {
    return spot(NoteSampling.silent());
  }

  /** Returns the same as {@link #spot()}, and reports the progress at the first use. */
  public Optional<SpotComparison> spot(NoteSampling sampling) {
    return spot.get(sampling);
  }

  /** Returns whether a run of a plan with spot capacity may continue on demand. */
  public boolean mayLeaveSpot() {
    return SpotComparison.exists(problem, plan);
  }

  /** Returns the spending guard in USD; empty with a budget, and if nothing is charged. */
  public OptionalDouble spendingGuardUsd() {
    return spendingGuardUsd(SamplingProgress.NONE);
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
    return stops(NoteSampling.silent());
  }

  /** Returns the same as {@link #stops()}, and reports the progress at the first use. */
  public Optional<PolicyStops> stops(NoteSampling sampling) {
    return counts.get(sampling).stops();
  }
}
