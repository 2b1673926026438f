package io.elastune.simulator;

import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.RungTaskSource;
import io.elastune.core.search.SearchDecision.Train;
import java.util.List;

/** The draws of the trials of a search made of rungs, for one sample at a time. */
final class RungDraws implements RungTaskSource.Losses {
  private final CompiledRungPlan plan;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final RungLosses losses;
  // The offsets of the current sample.
  private final int[] x;
  private final int[] startup;
  private final SamplingLimit.Counter tasks;

  /**
   * @param tasks counts the tasks that are started
   */
  RungDraws(CompiledRungPlan plan, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    this.plan = plan;
    xs = readers(plan.xs);
    startups = readers(plan.startups);
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
    losses.select(sample);
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
