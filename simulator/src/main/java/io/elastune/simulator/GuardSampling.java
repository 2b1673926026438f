package io.elastune.simulator;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.random.RandomStreams;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Samples the tail of the cost of a plan for its spending guard, with as few samples as decide it
 * (docs/decisions/0012-a-spending-guard-instead-of-a-budget.md).
 */
final class GuardSampling {
  /** Fraction of runs that may need more than the guard. */
  private static final double BEYOND = 0.001;

  /** Confidence of the upper bound, and of the lower bound that decides whether both are close. */
  private static final double CONFIDENCE = 0.95;

  /** Distance of the bounds, as a part of the upper one, at which no more samples are drawn. */
  private static final double CLOSE = 0.05;

  /** Samples of one kind, with faults or of all kinds, to begin with. */
  private static final int FIRST = 2000;

  /** The same for samples of all kinds, which show the tail only at its end. */
  private static final int FIRST_OF_ALL = 5000;

  /** Part of the probability of the tail that samples without a fault may have. */
  private static final double SHARE_WITHOUT_FAULT = 0.5;

  /** Fewest samples of a job of many trials. */
  private static final int FEWEST = 500;

  /** Trials to simulate to begin with, and at most: jobs of many trials get fewer samples. */
  private static final double FIRST_TRIALS = 2e6;

  private static final double MOST_TRIALS = 6e6;

  /** How many times more samples are drawn at most than to begin with. */
  private static final int MOST_FACTOR = 4;

  private static final double P95 = 0.95;
  private static final int BISECTIONS = 60;

  /**
   * Samples of a fixed cluster that a policy divides, whose events are played one by one; its cost
   * varies little.
   */
  private static final int PLAYED = 500;

  /** Draws of the faults that are added to each of these samples. */
  private static final int FAULT_DRAWS = 20;

  /** Samples that show how often faults occur. */
  private static final int PILOT = 64;

  /** Probability of a fault in a sample up to which samples with and without are drawn apart. */
  private static final double RARE = 0.25;

  private final Problem problem;
  private final Plan plan;
  private final Simulator simulator;
  private final RandomStreams streams;
  private final SamplingProgress progress;
  private final Map<FaultStratum, IncrementalSampling> samplings =
      new EnumMap<>(FaultStratum.class);
  private final int first;
  private final int most;

  /**
   * The tail of the cost.
   *
   * @param lowerUsd lower bound of the quantile
   * @param upperUsd upper bound of the quantile
   * @param p95Usd 95th percentile
   */
  record Tail(double lowerUsd, double upperUsd, double p95Usd) {
    /** Returns whether the guard would hardly be lower, whatever more samples showed. */
    boolean isClose(double committedUsd, double margin) {
      double lowest = margin * p95Usd;
      double upper = Math.max(lowest, upperUsd + committedUsd);
      return upper - Math.max(lowest, lowerUsd + committedUsd) <= CLOSE * upper;
    }
  }

  GuardSampling(Problem problem, Plan plan, int threads, SamplingProgress progress) {
    this.problem = problem;
    this.plan = plan;
    this.progress = progress;
    streams = RandomStreams.of(problem.seed()).at("guard");
    long trials = problem.workload().groups().stream().mapToLong(TrialGroup::trials).sum();
    first = (int) Math.max(FEWEST, FIRST_TRIALS / trials);
    most = (int) Math.max(first, MOST_TRIALS / trials);
    simulator =
        new Simulator(
            problem.withSeed(streams.open().nextLong()), MOST_FACTOR * FIRST_OF_ALL, threads);
  }

  /**
   * Returns the tail of the cost. Where its upper bound does not matter, the bound may be higher
   * than more samples would show.
   *
   * @param committedUsd what is added to the tail before it is compared
   * @param margin multiple of the 95th percentile that is the guard in any case
   */
  Tail tail(double committedUsd, double margin) {
    if (simulator.samples() == 1) {
      double[] one = simulator.sample(plan).costUsd();
      return new Tail(one[0], one[0], one[0]);
    }
    if (problem.policy().choosesSizes()) {
      return withOmittedFaults();
    }
    double probability = Simulator.canSeparateFaults(problem, plan) ? faultProbability() : 1;
    boolean rare = probability < RARE;
    int limit = rare ? FIRST : FIRST_OF_ALL;
    int samples = Math.min(first, limit);
    Tail tail;
    do {
      tail = rare ? separate(samples) : together(samples);
      samples *= 2;
    } while (samples <= Math.min(most, MOST_FACTOR * limit) && !tail.isClose(committedUsd, margin));
    return tail;
  }

  /** Returns the tail of samples of all kinds. */
  private Tail together(int samples) {
    IncrementalSampling sampling = sampling(FaultStratum.ALL);
    double[] costUsd = sorted(sampling.sampleUpTo(samples, played(samples)).costUsd());
    return tail(costUsd);
  }

  private Tail tail(double[] sorted) {
    TailBound bound = bound(sorted, BEYOND);
    return new Tail(bound.lower(), bound.upper(), Percentiles.ofSorted(sorted, P95));
  }

  private IncrementalSampling sampling(FaultStratum stratum) {
    return samplings.computeIfAbsent(stratum, any -> simulator.sampling(plan, any));
  }

  private IntConsumer played(int samples) {
    return played -> progress.sampled(Math.min(played, samples), samples);
  }

  private static double[] sorted(double[] costUsd) {
    double[] sorted = costUsd.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  private double faultProbability() {
    IncrementalSampling pilot = sampling(FaultStratum.WITHOUT);
    pilot.sampleUpTo(PILOT);
    return Arrays.stream(pilot.outcome().faultProbability()).average().orElse(0);
  }

  /**
   * Returns the tail of samples with and without faults, drawn apart. The upper bound is exceeded
   * by those without one with at most half of the probability of the tail, and by those with one
   * with the rest.
   */
  private Tail separate(int samples) {
    IncrementalSampling without = sampling(FaultStratum.WITHOUT);
    double[] withoutUsd = sorted(without.sampleUpTo(samples).costUsd());
    double[] withUsd =
        sorted(sampling(FaultStratum.WITH).sampleUpTo(samples, played(samples)).costUsd());
    double probability = Arrays.stream(without.outcome().faultProbability()).average().orElse(0);
    double left = (1 - SHARE_WITHOUT_FAULT) * BEYOND / probability;
    double lowerUsd = bound(withoutUsd, BEYOND).lower();
    double upperUsd = bound(withoutUsd, SHARE_WITHOUT_FAULT * BEYOND).upper();
    if (left < 1) {
      upperUsd = Math.max(upperUsd, bound(withUsd, left).upper());
      lowerUsd = Math.max(lowerUsd, bound(withUsd, Math.min(1, BEYOND / probability)).lower());
    }
    return new Tail(lowerUsd, upperUsd, p95Usd(withoutUsd, withUsd, probability));
  }

  private TailBound bound(double[] sorted, double exceeded) {
    return ParetoTail.bound(sorted, exceeded, CONFIDENCE, streams.at("tail").open());
  }

  /** Returns the 95th percentile of both parts together, by bisection. */
  private static double p95Usd(double[] withoutUsd, double[] withUsd, double probability) {
    double low = Math.min(withoutUsd[0], withUsd[0]);
    double high = Math.max(withoutUsd[withoutUsd.length - 1], withUsd[withUsd.length - 1]);
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      double beyond =
          (1 - probability) * beyond(withoutUsd, middle) + probability * beyond(withUsd, middle);
      if (beyond > 1 - P95) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Returns the fraction of samples that exceed an amount. */
  private static double beyond(double[] sorted, double usd) {
    int place = Arrays.binarySearch(sorted, usd);
    int first = place >= 0 ? place : -place - 1;
    return (double) (sorted.length - first) / sorted.length;
  }

  /**
   * Returns the tail of a fixed cluster, to each of whose samples faults are added several times.
   */
  private Tail withOmittedFaults() {
    JointSamples played = sampling(FaultStratum.ALL).sampleUpTo(PLAYED, played(PLAYED));
    OmittedFaults faults = new OmittedFaults(problem, plan);
    int count = played.costUsd().length;
    double[] costUsd = new double[FAULT_DRAWS * count];
    for (int draw = 0; draw < FAULT_DRAWS; draw++) {
      System.arraycopy(faults.costUsd(played, draw), 0, costUsd, draw * count, count);
    }
    return tail(sorted(costUsd));
  }
}
