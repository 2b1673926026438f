package io.elastune.simulator.timeline;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.search.LearningCurves;
import io.elastune.core.timeline.HyperSchedRun;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.SearchRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.core.timeline.TrialsRun;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.sample.RungCounts;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;
import java.util.OptionalDouble;

/** A search on a cluster that HyperSched divides among its trials, in one sample. */
final class PlayedHyperSched implements PlayedPolicy {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;

  private final CompiledHyperSchedPlan plan;
  private final SamplingLimit.Counter tasks;
  private final int units;
  private final Times times = new Times();
  private final HyperSchedRun policy;
  private final SampledSearch sampled;
  private final DrawReader xs;
  private final DrawReader startups;
  private final TornCheckpoints torn;
  private final LossDraws lossDraws;

  // Of the sample.
  private LossDraws.Sampled losses;
  private int x;
  private int startup;

  /**
   * @param tasks counts the simulated units
   */
  PlayedHyperSched(CompiledHyperSchedPlan plan, SamplingLimit.Counter tasks) {
    this.plan = plan;
    this.tasks = tasks;
    units = plan.rungs.target(plan.rungs.lastRung());
    SearchRun search = new TrialsRun(plan.rungs.trials(), units);
    policy =
        new HyperSchedRun(
            plan.rule,
            plan.seconds,
            search,
            times,
            new HyperSchedRun.Cluster(plan.instances, plan.gpus, plan.rungs.trials(), plan.timing));
    TrialClocks clocks =
        TrialClocks.of(
            plan.hasFaults, plan.hazards, plan.faults, trial -> trial - 1, plan.faultStreams);
    sampled =
        new SampledSearch(
            plan.leases,
            plan.gpus,
            search,
            policy,
            times,
            List.of(clocks),
            task -> 0,
            OptionalDouble.of(plan.deadlineS));
    xs = new DrawReader(plan.x);
    startups = new DrawReader(plan.startup);
    torn = new TornCheckpoints(plan.torn, true, CheckpointSchedule.ASSUMED, trial -> trial - 1);
    lossDraws = plan.losses.get();
    losses = lossDraws.of(0);
  }

  @Override
  public SampledSearch sampled() {
    return sampled;
  }

  /** Each trial has one task. */
  @Override
  public boolean keepAlive() {
    return false;
  }

  @Override
  public boolean hasFaults() {
    return plan.hasFaults;
  }

  @Override
  public void select(int sample) {
    losses = lossDraws.of(sample);
    x = xs.offset(sample);
    startup = startups.offset(sample);
    torn.read(sample);
  }

  /** Returns when no new trial starts any more, and the end. */
  @Override
  public double[] endS(Timeline timeline, double endS) {
    return new double[] {Math.min(endS, plan.deadlineS - policy.closingLeftS()), endS};
  }

  /** A trial has a result from its first unit on. */
  @Override
  public boolean hasResult(Timeline timeline, double endS) {
    return endS < plan.deadlineS || timeline.hasTrained();
  }

  @Override
  public void count(int sample, RungCounts counts) {
    counts.set(sample, policy.passed());
  }

  @Override
  public double unitS(Task task) {
    return plan.seconds.perUnit(task.width());
  }

  @Override
  public int group(Task task) {
    return policy.isClosed() ? CLOSING : OPEN;
  }

  /** How long the trials take in the sample, and what they report. */
  private final class Times implements TrialTimes {
    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      double startupS = startups.values()[startup + task.trial() - 1];
      double perUnitS = plan.seconds.perUnit(task.width());
      double meanS =
          plan.curves
              .map(curves -> recordedUnitS(curves, task.trial(), perUnitS))
              .orElseGet(() -> perUnitS * factor(task.trial()));
      task.trains(startupS, meanS * instance.slowness());
      task.hangsAtUnitsOf(plan.slowestUnitS);
      task.reportsTargetAt(plan.targetUnits.of(task.trial()).orElse(0));
    }

    private double factor(int trial) {
      return xs.values()[x + trial - 1];
    }

    /** The mean seconds per unit in the curve of a trial. */
    private double recordedUnitS(LearningCurves curves, int trial, double perUnitS) {
      LearningCurves.Work work = curves.work(trial, 0, units);
      double recordedS = work.recordedS() == 0 ? 0 : work.recordedS() * perUnitS / plan.oneGpuUnitS;
      double otherS = work.otherUnits() * perUnitS * factor(trial);
      return (recordedS + otherS) / units;
    }

    @Override
    public double loss(Task task, int unit) {
      tasks.count(1);
      return losses.loss(task.trial(), unit);
    }

    @Override
    public double checkpointS() {
      return plan.checkpointS;
    }

    @Override
    public int intact(Task task, int repeated) {
      return torn.intact(task.trial(), task.units(), repeated);
    }

    @Override
    public int stopped(Task task, int trained) {
      return torn.stopped(task.trial(), trained);
    }
  }
}
