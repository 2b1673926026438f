package io.elastune.simulator;

import io.elastune.core.policy.GroupTimeline;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyAttempt;
import io.elastune.core.policy.PolicyStep;
import io.elastune.core.policy.PolicyTimeline;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.SchedulingPolicy;
import io.elastune.core.policy.TaskSource;
import io.elastune.core.policy.Width;
import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.NewTrials;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Simulates a cluster that HyperSched divides among trials block by block, with {@link
 * PolicyTimeline} as its rules (docs/searches.md, "HyperSched").
 */
final class HyperSchedSampler implements BlockSampler {
  private static final int OPEN = 0;

  private final CompiledHyperSchedPlan plan;
  private final RungCounts counts;
  private final StopCounts stopCounts;
  private final SamplingLimit.Counter tasks;
  private final CostTotals costTotals = new CostTotals(2);
  private final Cluster cluster;
  private final DrawReader xs;
  private final DrawReader startups;
  private final LossDraws lossDraws;

  /**
   * @param counts receives the number of trials that reached each rung, by sample
   * @param stopCounts receives how often running trials are ended, by sample
   * @param tasks counts the simulated units
   */
  HyperSchedSampler(
      CompiledHyperSchedPlan plan,
      RungCounts counts,
      StopCounts stopCounts,
      SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    this.plan = plan;
    this.counts = counts;
    this.stopCounts = stopCounts;
    cluster = new Cluster(plan.leases, costTotals);
    xs = new DrawReader(plan.x);
    startups = new DrawReader(plan.startup);
    lossDraws = plan.losses.get();
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  /** Returns the attempts of the first sample. */
  List<PolicyAttempt> attempts() {
    cluster.reset();
    cluster.request(plan.instances, 0, 0);
    PolicyTimeline<HyperSchedState> timeline = timeline(plan.policy);
    run(timeline, 0);
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
    double[] endS = play(sample);
    for (int i = 0; i < plan.instances; i++) {
      cluster.release(i, OPEN, 0, endS[1]);
    }
    outcome.add(sample, endS, costTotals.groupUsd);
  }

  /** Returns when no new trial starts any more, and the end. */
  private double[] play(int sample) {
    Observed policy = new Observed(plan.policy);
    PolicyTimeline<HyperSchedState> timeline = timeline(policy);
    double endS = run(timeline, sample);
    for (int i = 0; i < plan.instances; i++) {
      cluster.recordWork(i, timeline.usedS(i), timeline.busyS(i));
    }
    counts.set(sample, policy.trained());
    stopCounts.set(sample, timeline);
    return new double[] {Math.min(endS, plan.deadlineS - policy.closingLeftS), endS};
  }

  private PolicyTimeline<HyperSchedState> timeline(SchedulingPolicy<HyperSchedState> policy) {
    return new PolicyTimeline<>(policy, plan.gpus, Arrays.copyOf(cluster.readyS, plan.instances));
  }

  /** Returns the end of all trials. */
  private double run(PolicyTimeline<HyperSchedState> timeline, int sample) {
    TaskSource source =
        new NewTrials(
            plan.rungs, plan.instances * plan.gpus, () -> timeline.state().started().cardinality());
    return timeline.run(NewTrials.GROUP, source, 0, new Trials(sample));
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
    public int nextUnit(HyperSchedState state, int trial, int unit) {
      return policy.nextUnit(state, trial, unit);
    }

    @Override
    public Optional<Width> measuredWidth() {
      return policy.measuredWidth();
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

  /** The draws of the trials in one sample. */
  private final class Trials implements GroupTimeline.Model {
    private final LossDraws.Sampled losses;
    private final double[] x;
    private final double[] startup;
    private final int firstX;
    private final int firstStartup;

    Trials(int sample) {
      losses = lossDraws.of(sample);
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
      double unitS = plan.seconds.perUnit(width);
      double meanS =
          plan.curves
              .map(curves -> recordedUnitS(curves, trial, unitS))
              .orElseGet(() -> unitS * x[firstX + trial - 1]);
      return meanS * cluster.slowness[instance];
    }

    /** The mean seconds per unit in the curve of a trial. */
    private double recordedUnitS(LearningCurves curves, int trial, double unitS) {
      int units = plan.rungs.target(plan.rungs.lastRung());
      LearningCurves.Work work = curves.work(trial, 0, units);
      double recordedS = work.recordedS() == 0 ? 0 : work.recordedS() * unitS / plan.oneGpuUnitS;
      double otherS = work.otherUnits() * unitS * x[firstX + trial - 1];
      return (recordedS + otherS) / units;
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
      tasks.count(1);
      return losses.loss(trial, unit);
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
