package io.elastune.simulator.timeline;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.TrialLosses;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TrialTimes;

/** How long the tasks of a search made of rungs take in one sample, and what trials report. */
final class RungTimes implements TrialTimes {
  private final CompiledRungPlan plan;
  private final RungRule rule;
  private final RungDraws draws;
  private final boolean isStopping;
  private final boolean hasTargets;
  private final TrialLosses losses;

  RungTimes(CompiledRungPlan plan, RungDraws draws) {
    this(plan, draws, draws, plan.targetUnits.exist());
  }

  /**
   * @param losses the results of the trials
   * @param hasTargets whether a result may end the search
   */
  RungTimes(CompiledRungPlan plan, RungDraws draws, TrialLosses losses, boolean hasTargets) {
    this.plan = plan;
    this.draws = draws;
    this.losses = losses;
    this.hasTargets = hasTargets;
    rule = plan.search.rule();
    isStopping = rule.isStopping();
  }

  @Override
  public void begin(Task task, Instance instance, boolean starts) {
    int trial = task.trial();
    int rung = task.group();
    int from = task.from() + task.done();
    int units = task.to() - from;
    double perUnitS = plan.unitS(task.gpus());
    double startupS = starts ? draws.startupS(trial, rung) : 0;
    double workS = draws.workS(trial, rung, from, task.to(), perUnitS) * instance.slowness();
    task.lasts(startupS, workS / units, startupS + workS);
    expectLater(task);
    if (hasTargets) {
      expectTarget(task, from, startupS, perUnitS * instance.slowness());
    }
  }

  /** Sets what a task trains after it in the same attempt. */
  void expectLater(Task task) {
    if (isStopping) {
      task.trainsLater(rule.target(rule.lastRung()) - task.to());
    }
  }

  private void expectTarget(Task task, int from, double startupS, double perUnitS) {
    int trial = task.trial();
    int units = plan.targetUnits.ofTask(trial, from).orElse(0);
    if (units > 0 && units <= task.to() - from) {
      double workS = draws.workS(trial, task.group(), from, from + units, perUnitS);
      task.reportsTargetAfter(startupS + workS);
    }
  }

  @Override
  public double loss(Task task) {
    return losses.loss(task.trial(), task.group());
  }

  @Override
  public double checkpointS() {
    return plan.checkpointS;
  }

  @Override
  public boolean resumes(Task task) {
    return !rule.fromScratch();
  }

  @Override
  public int intact(Task task, int repeated) {
    return draws.intact(task, repeated);
  }

  @Override
  public int saved(Task task, int units) {
    return CheckpointSchedule.ASSUMED.saved(units);
  }
}
