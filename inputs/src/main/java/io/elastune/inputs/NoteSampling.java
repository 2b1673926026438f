package io.elastune.inputs;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.function.Predicate;

/**
 * Samples the plans with which notes compare a plan, and reports the samples of all of them as
 * those of one sampling, so that its end can be estimated. Not thread-safe.
 */
public final class NoteSampling {
  /** Trials to simulate for a plan that was not predicted: a large job varies less per sample. */
  private static final int TRIALS = 1_000_000;

  /** Samples of a plan at least. */
  private static final int LEAST = 16;

  /** Samples before the first question whether they suffice. */
  private static final int FEW = 64;

  /** Factor by which the number of samples grows between these questions. */
  private static final double MORE = 1.25;

  private final SamplingProgress progress;
  private final int most;
  private int samples;

  /**
   * @param progress receives the samples so far
   * @param most samples of all plans
   */
  public NoteSampling(SamplingProgress progress, int most) {
    this.progress = progress;
    this.most = most;
  }

  /** Returns a sampling that reports nothing. */
  public static NoteSampling silent() {
    return new NoteSampling(SamplingProgress.NONE, 0);
  }

  /** Whether a sample is played event by event, which takes long. */
  static boolean isPlayed(Problem problem) {
    return problem.policy().choosesSizes() || problem.workload().rungs().isPresent();
  }

  /** Returns how many samples of a plan to take: fewer than {@code most} for a large job. */
  static int samples(Problem problem, int most) {
    Workload workload = problem.workload();
    int trials =
        workload
            .rungs()
            .map(RungRule::drawnTrials)
            .orElseGet(() -> workload.groups().stream().mapToInt(TrialGroup::trials).sum());
    return Math.min(most, Math.max(LEAST, TRIALS / trials));
  }

  /** Returns the estimate of a plan from so many samples. */
  public Estimate estimate(Problem problem, Plan plan, int number) {
    return sampled(problem, plan, number).estimate();
  }

  /** Returns the sampling of a plan with so many samples. */
  public IncrementalSampling sampled(Problem problem, Plan plan, int number) {
    return sampled(new Simulator(problem, number).sampling(plan), number);
  }

  /** Continues a sampling up to so many samples, and returns it. */
  IncrementalSampling sampled(IncrementalSampling sampling, int number) {
    int before = samples;
    sampling.sampleUpTo(number, played -> progress.sampled(before + played, most));
    samples += number; // also if nothing varies, so that one sample is sufficient
    progress.sampled(samples, most);
    return sampling;
  }

  /**
   * Returns samples of a plan: a quarter more than before until they suffice.
   *
   * @param number the most samples
   */
  JointSamples sampledUntil(
      Problem problem, Plan plan, int number, Predicate<JointSamples> suffice) {
    Simulator simulator = new Simulator(problem, number);
    IncrementalSampling sampling = simulator.sampling(plan);
    int before = samples;
    JointSamples joint;
    int next = FEW;
    do {
      joint = sampling.sampleUpTo(next, played -> progress.sampled(before + played, most));
      next = (int) (MORE * joint.costUsd().length) + 1;
    } while (joint.costUsd().length < simulator.samples() && !suffice.test(joint));
    samples += number; // also if fewer were sufficient
    progress.sampled(samples, most);
    return joint;
  }
}
