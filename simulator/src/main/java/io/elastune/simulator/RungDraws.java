package io.elastune.simulator;

import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.RungTaskSource;
import io.elastune.core.search.SearchDecision.Train;
import java.util.List;
import java.util.Optional;

/** The draws of the trials of a search made of rungs, for one sample at a time. */
final class RungDraws implements RungTaskSource.Losses {
  private final CompiledRungPlan plan;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final DrawReader[] faults;
  private final RungLosses losses;
  // The offsets of the current sample.
  private final int[] x;
  private final int[] startup;
  private final int[] fault;
  private final SamplingLimit.Counter tasks;

  /**
   * @param tasks counts the tasks that are started
   */
  RungDraws(CompiledRungPlan plan, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    this.plan = plan;
    xs = readers(plan.xs);
    startups = readers(plan.startups);
    faults =
        plan.hasFaults && plan.hazards.attemptPerS() > 0 ? readers(plan.faults) : new DrawReader[0];
    fault = new int[faults.length];
    losses = new RungLosses(plan.ranks.correlation(), plan.losses);
    x = new int[xs.length];
    startup = new int[startups.length];
  }

  private static DrawReader[] readers(List<DrawTable> tables) {
    return tables.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  /** Selects a sample. */
  void select(int sample) {
    for (int i = 0; i < xs.length; i++) {
      x[i] = xs[i].offset(sample);
      startup[i] = startups[i].offset(sample);
    }
    for (int i = 0; i < faults.length; i++) {
      fault[i] = faults[i].offset(sample);
    }
    losses.select(sample);
  }

  /** Whether a task may crash or hang that lasts so many seconds. */
  boolean mayFail(Train task, double lastsS) {
    if (faults.length == 0) {
      return false;
    }
    int row = plan.faultRow(task);
    double first = faults[row].values()[fault[row] + plan.column(task.trial())];
    return lastsS * plan.hazards.attemptPerS() > first;
  }

  /** Returns the clocks of the trials in the present sample, by row of a fault. */
  TrialClocks[] clocks(int sample) {
    TrialClocks[] clocks = new TrialClocks[plan.faults.size()];
    for (int row = 0; row < clocks.length; row++) {
      Optional<DrawReader> firsts =
          faults.length == 0 ? Optional.empty() : Optional.of(faults[row]);
      clocks[row] = new TrialClocks(plan.hazards, firsts, plan::column, plan.faultStreams.get(row));
      clocks[row].read(sample);
    }
    return clocks;
  }

  /** Returns the seconds until the first unit of a task starts. */
  double startupS(Train task) {
    int row = plan.row(task);
    return startups[row].values()[startup[row] + plan.column(task.trial())];
  }

  /**
   * Returns the seconds in which the units of a task are trained on an average instance.
   *
   * @param unitS seconds per unit of a trial of average speed
   */
  double workS(Train task, double unitS) {
    tasks.count(1);
    int row = plan.row(task);
    double factor = xs[row].values()[x[row] + plan.column(task.trial())];
    return plan.ranks
        .curves()
        .map(curves -> curves.work(task.trial(), task.from(), task.to()))
        .map(work -> workS(work, unitS, factor))
        .orElse((task.to() - task.from()) * unitS * factor);
  }

  private double workS(LearningCurves.Work work, double unitS, double factor) {
    double recordedS = work.recordedS() == 0 ? 0 : work.recordedS() * unitS / plan.oneGpuUnitS;
    return recordedS + work.otherUnits() * unitS * factor;
  }

  @Override
  public double loss(int trial, int rung) {
    if (plan.ranks.curves().isPresent()) {
      return plan.ranks.curves().get().loss(trial, plan.search.rule().target(rung));
    }
    return switch (plan.ranks.order()) {
      case FIRST_BEST -> trial;
      case LAST_BEST -> -trial;
      case SAMPLED -> losses.of(trial, rung);
    };
  }
}
