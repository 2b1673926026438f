package io.elastune.simulator;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.draw.SampleBlocks;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.Percentiles;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Samples the tail of the cost of a plan for its spending guard, with as few samples as decide it
 * (docs/decisions/0012-a-spending-guard-instead-of-a-budget.md).
 *
 * <p>The upper bound is at least the quantile with a probability of 95 %, whatever the distribution
 * of the cost. Sampling looks at the bound, and draws more if it does not decide: each look is
 * another chance of a bound that is too low. Therefore the looks are fixed before the first sample
 * is drawn, and share the probability of an error ({@link TailLooks}).
 *
 * <p>The samples are those of the prediction and more of them, so those that a planner has drawn
 * need not be drawn again.
 *
 * <p>Jobs of very many trials or instances would take minutes. Of these, fewer samples are drawn,
 * each with the faults of three runs.
 */
final class GuardSampling {
  /** Fraction of runs that may need more than the guard. */
  static final double BEYOND = 0.001;

  /** Largest probability that the upper bound is below the quantile. */
  static final double ERROR = 0.05;

  /** Samples of the first of several looks: the whole blocks of those that a prediction has. */
  static final int FIRST = 3968;

  private static final int MOST_LOOKS = 9;

  /** Factor by which the number of samples grows between looks. */
  private static final double MORE = 1.4;

  /** Trials to simulate at most, where a bound does not require more. */
  private static final double MOST_TRIALS = 1e6;

  /** So many instances of groups count as a trial: only jobs with very many have as much work. */
  private static final int INSTANCES_OF_TRIAL = 100;

  /**
   * The work of the fewest samples that the bound requires, in units of about 0.1 µs, from which on
   * a job has fewer: 27 million for 4,096 trials of successive halving on 128 instances.
   */
  private static final double MOST_WORK = 60e6;

  /** What a trial under a policy that is played event by event, and an instance count as then. */
  private static final int WORK_OF_PLAYED_TRIAL = 50;

  private static final int WORK_OF_INSTANCE = 7;

  /** Of so many samples, the next one exceeds the highest with a probability below 0.1 %. */
  static final int FEW = 1024;

  /** The runs whose faults each of them has: together, they have those of the usual number. */
  private static final int RUNS = 3;

  /** Distance of the bounds, as a part of the upper one, at which no more samples are drawn. */
  private static final double CLOSE = 0.04;

  private static final double P95 = 0.95;

  private final Problem problem;
  private final Plan plan;
  private final int threads;
  private final SamplingProgress progress;
  private Optional<JointSamples> known = Optional.empty();

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

  /**
   * @param problem must state the rates of faults
   */
  GuardSampling(Problem problem, Plan plan, int threads, SamplingProgress progress) {
    this.problem = problem;
    this.plan = plan;
    this.threads = threads;
    this.progress = progress;
  }

  /**
   * Lets the first samples be known.
   *
   * @param samples of the plan, from the random streams of the problem
   */
  GuardSampling startingWith(Optional<JointSamples> samples) {
    known = samples;
    return this;
  }

  /**
   * Returns the tail of the cost. Where its upper bound does not matter, the bound may be higher
   * than more samples would show.
   *
   * @param committedUsd what is added to the tail before it is compared
   * @param margin multiple of the 95th percentile that is the guard in any case
   */
  Tail tail(double committedUsd, double margin) {
    int fewest = TailLooks.fewest(BEYOND, 1 - ERROR);
    if (work() * fewest > MOST_WORK) {
      return tailOfFew();
    }
    TailLooks looks = new TailLooks(samplesOfLooks(fewest), BEYOND, ERROR);
    int most = looks.most();
    Simulator simulator = Simulator.ofOnePlan(problem, most, threads);
    IncrementalSampling sampling = simulator.sampling(plan);
    known.ifPresent(sampling::startWith);
    if (simulator.samples() == 1) {
      double usd = sampling.sampleUpTo(1).costUsd()[0];
      return new Tail(usd, usd, usd);
    }
    Tail tail;
    do {
      TailLooks.Look look = looks.next();
      JointSamples joint =
          sampling.sampleUpTo(look.samples(), played -> progress.sampled(played, most));
      double[] costUsd = Arrays.copyOf(joint.costUsd(), look.samples());
      Arrays.sort(costUsd);
      tail = new Tail(look.lower(costUsd), look.upper(costUsd), Percentiles.ofSorted(costUsd, P95));
    } while (looks.hasNext() && !tail.isClose(committedUsd, margin));
    return tail;
  }

  /** Returns the work of a sample. */
  private double work() {
    long perTrial = problem.policy().choosesSizes() ? WORK_OF_PLAYED_TRIAL : 1;
    return perTrial * trials(problem) + (double) WORK_OF_INSTANCE * instances(plan);
  }

  /**
   * Returns the highest of few samples. A run exceeds it with a probability below 0.1 %, whatever
   * the distribution of the cost. That it is as high as the highest of the usual number of samples
   * follows for faults only: each sample has those of three runs.
   */
  Tail tailOfFew() {
    Problem several =
        problem.withFaults(
            offer -> offer.faults().ofRuns(RUNS), profile -> profile.faults().ofRuns(RUNS));
    double[] costUsd =
        Simulator.ofOnePlan(several, FEW, threads)
            .sampling(plan)
            .sampleUpTo(FEW, played -> progress.sampled(played, FEW))
            .costUsd()
            .clone();
    Arrays.sort(costUsd);
    double highestUsd = costUsd[costUsd.length - 1];
    return new Tail(highestUsd, highestUsd, Percentiles.ofSorted(costUsd, P95));
  }

  private static long trials(Problem problem) {
    return problem.workload().groups().stream().mapToLong(TrialGroup::trials).sum();
  }

  private static long instances(Plan plan) {
    return plan.allocations().values().stream().mapToLong(Allocation::instances).sum();
  }

  /**
   * Returns the samples of the looks. There is one look, with as many samples as the bound
   * requires, in jobs of many trials or very many instances, and under a policy that divides a
   * fixed cluster, which is played event by event.
   */
  private int[] samplesOfLooks(int fewest) {
    double work = trials(problem) + (double) instances(plan) / INSTANCES_OF_TRIAL;
    double most = problem.policy().choosesSizes() ? 0 : MOST_TRIALS / work;
    int[] samples =
        IntStream.range(0, MOST_LOOKS)
            .map(look -> (int) SampleBlocks.whole((int) (FIRST * Math.pow(MORE, look))))
            .takeWhile(count -> count <= most)
            .toArray();
    return samples.length > 1 ? samples : new int[] {(int) SampleBlocks.whole(fewest)};
  }
}
