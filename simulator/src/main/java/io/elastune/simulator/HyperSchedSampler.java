package io.elastune.simulator;

import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyAttempt;
import io.elastune.core.policy.PolicyStep;
import io.elastune.core.policy.PolicyTimeline;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.SchedulingPolicy;
import io.elastune.core.policy.Width;
import io.elastune.core.search.LearningCurves;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Simulates a cluster that HyperSched divides among trials block by block (docs/searches.md,
 * "HyperSched"). With learning curves, {@link PolicyTimeline} plays its rules. Without them, the
 * search lasts until the deadline: what it decides depends on metrics.
 */
final class HyperSchedSampler implements BlockSampler {
  private static final int OPEN = 0;

  private final CompiledHyperSchedPlan plan;
  private final RungCounts counts;
  private final StopCounts stopCounts;
  private final CostTotals costTotals = new CostTotals(2);
  private final Cluster cluster;
  private final DrawReader xs;
  private final DrawReader startups;

  /**
   * @param counts receives the number of trials that reached each rung, by sample
   * @param stopCounts receives how often running trials are ended, by sample
   */
  HyperSchedSampler(CompiledHyperSchedPlan plan, RungCounts counts, StopCounts stopCounts) {
    this.plan = plan;
    this.counts = counts;
    this.stopCounts = stopCounts;
    cluster = new Cluster(plan.leases, costTotals);
    xs = new DrawReader(plan.x);
    startups = new DrawReader(plan.startup);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  /**
   * Returns the attempts of the first sample.
   *
   * @throws java.util.NoSuchElementException without learning curves
   */
  List<PolicyAttempt> attempts() {
    cluster.reset();
    cluster.request(plan.instances, 0, 0);
    PolicyTimeline<HyperSchedState> timeline = timeline(new Observed(plan.policy));
    run(timeline, plan.curves.orElseThrow(), 0);
    return timeline.attempts();
  }

  /** Returns when an instance is ready in the sample that was played last. */
  double readyS(int number) {
    return cluster.readyS[number];
  }

  private void simulateOne(int sample, Outcome outcome) {
    Arrays.fill(costTotals.groupUsd, 0);
    cluster.reset();
    cluster.request(plan.instances, 0, sample);
    double[] endS =
        plan.curves.isPresent()
            ? play(plan.curves.get(), sample)
            : new double[] {plan.deadlineS, plan.deadlineS};
    if (plan.curves.isEmpty()) {
      for (int i = 0; i < plan.instances; i++) {
        double usedS = Math.max(0, plan.deadlineS - cluster.readyS[i]);
        cluster.recordWork(i, usedS, usedS);
      }
    }
    for (int i = 0; i < plan.instances; i++) {
      cluster.release(i, OPEN, 0, endS[1]);
    }
    outcome.add(sample, endS, costTotals.groupUsd);
  }

  /** Returns when no new trial starts any more, and the end. */
  private double[] play(LearningCurves curves, int sample) {
    Observed policy = new Observed(plan.policy);
    PolicyTimeline<HyperSchedState> timeline = timeline(policy);
    double endS = run(timeline, curves, sample);
    for (int i = 0; i < plan.instances; i++) {
      cluster.recordWork(i, timeline.usedS[i], timeline.busyS[i]);
    }
    counts.set(sample, policy.trained());
    stopCounts.set(sample, timeline);
    return new double[] {Math.min(endS, plan.deadlineS - policy.closingLeftS), endS};
  }

  private PolicyTimeline<HyperSchedState> timeline(Observed policy) {
    return new PolicyTimeline<>(policy, plan.gpus, Arrays.copyOf(cluster.readyS, plan.instances));
  }

  /** Returns the end of all trials. */
  private double run(PolicyTimeline<HyperSchedState> timeline, LearningCurves curves, int sample) {
    List<Integer> units =
        Collections.nCopies(plan.rungs.trials(), plan.rungs.target(plan.rungs.lastRung()));
    return timeline.run("r", units, 0, new Trials(curves, sample));
  }

  /** HyperSched, with the time at which it closed and its last state. */
  private static final class Observed implements SchedulingPolicy<HyperSchedState> {
    private final HyperSchedPolicy policy;
    private HyperSchedState last;
    private double closingLeftS;

    Observed(HyperSchedPolicy policy) {
      this.policy = policy;
      last = policy.initial();
    }

    @Override
    public HyperSchedState initial() {
      return policy.initial();
    }

    @Override
    public PolicyStep<HyperSchedState> assign(HyperSchedState state, PolicyView view) {
      PolicyStep<HyperSchedState> step = policy.assign(state, view);
      boolean isOpen = !last.isClosed();
      last = step.state();
      if (isOpen) {
        closingLeftS = last.isClosed() ? view.timing().leftS() : 0;
      }
      return step;
    }

    @Override
    public boolean usesUnitEnds(HyperSchedState state) {
      return policy.usesUnitEnds(state);
    }

    @Override
    public boolean usesReports() {
      return policy.usesReports();
    }

    /** Returns how many trials were trained to the target of each rung. */
    int[] trained() {
      return last.results().stream().mapToInt(Map::size).toArray();
    }
  }

  /** The draws of the trials in one sample, and their curves. */
  private final class Trials implements PolicyTimeline.Model {
    private final LearningCurves curves;
    private final double[] x;
    private final double[] startup;
    private final int firstX;
    private final int firstStartup;

    Trials(LearningCurves curves, int sample) {
      this.curves = curves;
      firstX = xs.offset(sample);
      firstStartup = startups.offset(sample);
      x = xs.values();
      startup = startups.values();
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      return startup[firstStartup + trial - 1];
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      int units = plan.rungs.target(plan.rungs.lastRung());
      LearningCurves.Work work = curves.work(trial, 0, units);
      double unitS = plan.seconds.perUnit(width);
      double recordedS = work.recordedS() == 0 ? 0 : work.recordedS() * unitS / plan.oneGpuUnitS;
      double otherS = work.otherUnits() * unitS * x[firstX + trial - 1];
      return (recordedS + otherS) / units * cluster.slowness[instance];
    }

    @Override
    public double checkpointS(int trial) {
      return plan.checkpointS;
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return 1;
    }

    @Override
    public double loss(int trial, int unit) {
      return curves.loss(trial, unit);
    }

    @Override
    public OptionalInt targetUnit(int trial) {
      return plan.targetUnits.of(trial);
    }

    @Override
    public PolicyView.Timing timing(double nowS) {
      return new PolicyView.Timing(
          plan.deadlineS - nowS, plan.timing.startupS(), plan.timing.unitS());
    }
  }
}
