package io.elastune.simulator;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.SampleBlocks;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.Percentiles;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Samples the tail of the cost of a plan for its spending guard, with as few samples as decide it
 * (docs/decisions/0012-a-spending-guard-instead-of-a-budget.md).
 *
 * <p>The upper bound is at least the quantile with a probability of 95 %, whatever the distribution
 * of the cost. Sampling looks at the bound, and draws more if it does not decide: each look is
 * another chance of a bound that is too low. Therefore the looks are fixed before the first sample
 * is drawn, and share the probability of an error.
 *
 * <p>Jobs of very many trials or instances would take minutes. Of these, fewer samples are drawn,
 * each with the faults of three runs.
 */
final class GuardSampling {
  /** Fraction of runs that may need more than the guard. */
  static final double BEYOND = 0.001;

  /** Largest probability that the upper bound is below the quantile. */
  static final double ERROR = 0.05;

  /** Part of this probability that the first of several looks has; the others share the rest. */
  private static final double FIRST_SHARE = 0.5;

  private static final int MOST_LOOKS = 3;

  /** Factor by which the number of samples grows between looks. */
  private static final int MORE = 4;

  /** Trials to simulate at most, where a bound does not require more. */
  private static final double MOST_TRIALS = 2e6;

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
   * A decision whether more samples are drawn.
   *
   * @param samples samples in all
   * @param confidence confidence of the upper bound
   */
  private record Look(int samples, double confidence) {}

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
   * Lets the first samples be known, if the plan is played event by event.
   *
   * @param samples of the plan, from the random streams of the problem
   */
  GuardSampling startingWith(Optional<JointSamples> samples) {
    known = samples.filter(of -> isPlayed(problem));
    return this;
  }

  private static boolean isPlayed(Problem problem) {
    return problem.policy().choosesSizes() || problem.workload().rungs().isPresent();
  }

  /**
   * Returns the tail of the cost. Where its upper bound does not matter, the bound may be higher
   * than more samples would show.
   *
   * @param committedUsd what is added to the tail before it is compared
   * @param margin multiple of the 95th percentile that is the guard in any case
   */
  Tail tail(double committedUsd, double margin) {
    if (work() * TailBound.fewest(BEYOND, 1 - ERROR) > MOST_WORK) {
      return tailOfFew();
    }
    List<Look> looks = looks(problem, plan);
    int most = looks.get(looks.size() - 1).samples();
    // Where samples take long, those of the planner are those of the guard.
    Simulator simulator =
        isPlayed(problem) ? new Simulator(problem, most, threads) : simulator(problem, most);
    IncrementalSampling sampling = simulator.sampling(plan);
    known.ifPresent(sampling::startWith);
    if (simulator.samples() == 1) {
      double usd = sampling.sampleUpTo(1).costUsd()[0];
      return new Tail(usd, usd, usd);
    }
    int look = 0;
    Tail tail;
    do {
      int samples = looks.get(look).samples();
      JointSamples joint = sampling.sampleUpTo(samples, played -> progress.sampled(played, most));
      double[] costUsd = Arrays.copyOf(joint.costUsd(), samples);
      Arrays.sort(costUsd);
      tail = tail(costUsd, looks.get(look).confidence());
      look++;
    } while (look < looks.size() && !tail.isClose(committedUsd, margin));
    return tail;
  }

  /** Returns a simulator with random streams of its own. */
  private Simulator simulator(Problem sampled, int samples) {
    long seed = RandomStreams.of(problem.seed()).at("guard").open().nextLong();
    return new Simulator(sampled.withSeed(seed), samples, threads);
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
        simulator(several, FEW)
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
   * Returns the looks. There is one, with as many samples as the bound requires, in jobs of many
   * trials or very many instances, and under a policy that divides a fixed cluster, which is played
   * event by event.
   */
  private static List<Look> looks(Problem problem, Plan plan) {
    double work = trials(problem) + (double) instances(plan) / INSTANCES_OF_TRIAL;
    double most = problem.policy().choosesSizes() ? 0 : MOST_TRIALS / work;
    int first = TailBound.fewest(BEYOND, 1 - FIRST_SHARE * ERROR);
    List<Integer> samples = new ArrayList<>(List.of(first));
    while (samples.size() < MOST_LOOKS && MORE * samples.get(samples.size() - 1) <= most) {
      samples.add(MORE * samples.get(samples.size() - 1));
    }
    int more = samples.size() - 1;
    if (more == 0) {
      return List.of(look(TailBound.fewest(BEYOND, 1 - ERROR), ERROR));
    }
    List<Look> looks = new ArrayList<>();
    for (int n : samples) {
      looks.add(look(n, looks.isEmpty() ? FIRST_SHARE * ERROR : (1 - FIRST_SHARE) * ERROR / more));
    }
    return looks;
  }

  private static Look look(int samples, double error) {
    return new Look((int) SampleBlocks.whole(samples), 1 - error);
  }

  private static Tail tail(double[] sorted, double confidence) {
    TailBound bound = TailBound.of(sorted, BEYOND, confidence);
    return new Tail(bound.lower(), bound.upper(), Percentiles.ofSorted(sorted, P95));
  }
}
