package io.elastune.simulator.timeline;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.TrialLosses;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.fault.TrialClocks;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The draws of the trials of a search made of rungs, for one sample at a time. */
public final class RungDraws implements TrialLosses {
  private final CompiledRungPlan plan;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final TornCheckpoints[] torn;
  private final RungLosses losses;
  private final Optional<LearningCurves> curves;
  private final boolean hasCurves;
  private final boolean areRanksSampled;

  // The draws of the current sample, and their offsets.
  private final double[][] xValues;
  private final double[][] startupValues;
  private final int[] x;
  private final int[] startup;
  private final SamplingLimit.Counter tasks;

  /**
   * @param tasks counts the tasks that are started
   */
  public RungDraws(CompiledRungPlan plan, SamplingLimit.Counter tasks) {
    this.tasks = tasks;
    this.plan = plan;
    xs = readers(plan.xs);
    startups = readers(plan.startups);
    torn =
        plan.torn.stream()
            .map(
                tables ->
                    new TornCheckpoints(
                        tables,
                        !plan.search.rule().fromScratch(),
                        CheckpointSchedule.ASSUMED,
                        plan::column))
            .toArray(TornCheckpoints[]::new);
    losses = new RungLosses(plan.ranks.correlation(), plan.losses);
    curves = plan.ranks.curves();
    hasCurves = curves.isPresent();
    areRanksSampled = !hasCurves && plan.ranks.order() == RankModel.Order.SAMPLED;
    xValues = new double[xs.length][];
    startupValues = new double[startups.length][];
    x = new int[xs.length];
    startup = new int[startups.length];
  }

  private static DrawReader[] readers(List<DrawTable> tables) {
    return tables.stream().map(DrawReader::new).toArray(DrawReader[]::new);
  }

  /** Selects a sample. */
  public void select(int sample) {
    for (int i = 0; i < xs.length; i++) {
      x[i] = xs[i].offset(sample);
      xValues[i] = xs[i].values();
      startup[i] = startups[i].offset(sample);
      startupValues[i] = startups[i].values();
    }
    for (TornCheckpoints each : torn) {
      each.read(sample);
    }
    losses.select(sample);
  }

  /** Returns the same as {@link TrialTimes#intact}. */
  int intact(Task task, int repeated) {
    return plan.endsAttempt(task.group())
        ? torn(task).intact(task.trial(), task.units(), repeated)
        : task.units();
  }

  /** Returns the same as {@link TrialTimes#stopped}. */
  int stopped(Task task, int trained) {
    return torn(task).stopped(task.trial(), trained);
  }

  private TornCheckpoints torn(Task task) {
    return torn[plan.row(task.trial(), task.group())];
  }

  /** Returns the clocks of the trials, by row of a fault. */
  List<TrialClocks> clocks() {
    return IntStream.range(0, plan.faults.size())
        .mapToObj(
            row ->
                TrialClocks.of(
                    plan.hasFaults,
                    plan.hazards,
                    plan.faults.get(row),
                    plan::column,
                    plan.faultStreams.get(row)))
        .toList();
  }

  /** Returns the seconds until the first unit of a task starts. */
  public double startupS(Train task) {
    return startupS(task.trial(), task.rung());
  }

  /** Returns the seconds until the first unit of the task of a trial in a rung starts. */
  public double startupS(int trial, int rung) {
    int row = plan.row(trial, rung);
    return startupValues[row][startup[row] + plan.column(trial)];
  }

  /**
   * Returns the seconds in which the units of a task are trained on an average instance.
   *
   * @param unitS seconds per unit of a trial of average speed
   */
  public double workS(Train task, double unitS) {
    return workS(task.trial(), task.rung(), task.from(), task.to(), unitS);
  }

  /**
   * Returns the seconds in which a trial is trained for a rung on an average instance.
   *
   * @param unitS seconds per unit of a trial of average speed
   */
  public double workS(int trial, int rung, int from, int to, double unitS) {
    tasks.count(1);
    int row = plan.row(trial, rung);
    double factor = xValues[row][x[row] + plan.column(trial)];
    return hasCurves
        ? workS(curves.get().work(trial, from, to), unitS, factor)
        : (to - from) * unitS * factor;
  }

  private double workS(LearningCurves.Work work, double unitS, double factor) {
    double recordedS = work.recordedS() == 0 ? 0 : work.recordedS() * unitS / plan.oneGpuUnitS;
    return recordedS + work.otherUnits() * unitS * factor;
  }

  @Override
  public double loss(int trial, int rung) {
    if (areRanksSampled) {
      return losses.of(trial, rung);
    }
    if (curves.isPresent()) {
      return curves.get().loss(trial, plan.search.rule().target(rung));
    }
    return switch (plan.ranks.order()) {
      case FIRST_BEST -> trial;
      case LAST_BEST -> -trial;
      case SAMPLED -> losses.of(trial, rung);
    };
  }
}
