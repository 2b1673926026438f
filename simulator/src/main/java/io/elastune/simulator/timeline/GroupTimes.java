package io.elastune.simulator.timeline;

import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.List;
import java.util.function.ToIntFunction;

/** How long the trials of trial groups take in one sample. */
public final class GroupTimes implements TrialTimes {
  private final List<CompiledGroup> groups;
  private final ToIntFunction<Task> row;
  private final double checkpointS;
  private final SamplingLimit.Counter tasks;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final TornCheckpoints[] torn;

  // The offsets of the sample.
  private final int[] x;
  private final int[] startup;

  /**
   * @param row returns the index of the group of a task
   * @param checkpointS mean seconds to write a checkpoint
   * @param tasks counts the attempts
   */
  public GroupTimes(
      List<CompiledGroup> groups,
      ToIntFunction<Task> row,
      double checkpointS,
      SamplingLimit.Counter tasks) {
    this.groups = groups;
    this.row = row;
    this.checkpointS = checkpointS;
    this.tasks = tasks;
    int count = groups.size();
    xs = new DrawReader[count];
    startups = new DrawReader[count];
    torn = new TornCheckpoints[count];
    for (int i = 0; i < count; i++) {
      xs[i] = new DrawReader(groups.get(i).x());
      startups[i] = new DrawReader(groups.get(i).startups());
      torn[i] =
          TornCheckpoints.withoutStops(
              groups.get(i).tornCounts(), groups.get(i).resumes(), groups.get(i).checkpoints());
    }
    x = new int[count];
    startup = new int[count];
  }

  /** Begins a sample. */
  public void select(int sample) {
    for (int i = 0; i < x.length; i++) {
      x[i] = xs[i].offset(sample);
      startup[i] = startups[i].offset(sample);
      torn[i].read(sample);
    }
  }

  /** Returns by how much the trial of a task is slower than one of average speed. */
  double factor(Task task) {
    int of = row.applyAsInt(task);
    // The draws include what the trial repeats; here, each attempt is played by itself.
    double repeats = groups.get(of).tornFraction() * torn[of].times(task.trial());
    return xs[of].values()[x[of] + task.trial()] / (1 + repeats);
  }

  @Override
  public void begin(Task task, Instance instance, boolean starts) {
    tasks.count(1);
    int of = row.applyAsInt(task);
    CompiledGroup group = groups.get(of);
    double times = torn[of].times(task.trial());
    double factor = factor(task);
    double startupS = starts ? startups[of].values()[startup[of] + task.trial()] / (1 + times) : 0;
    double trainingS = group.workS() * factor * instance.slowness();
    double unitS = trainingS / group.units();
    int units = task.units() - task.done();
    double lastsS = startupS + (task.done() == 0 ? trainingS : units * unitS);
    task.lasts(startupS, unitS, lastsS);
    int target = group.target(task.trial()) - task.done();
    if (target > 0) {
      task.reportsTargetAfter(target == units ? lastsS : startupS + target * unitS);
    }
  }

  @Override
  public double checkpointS() {
    return checkpointS;
  }

  @Override
  public boolean resumes(Task task) {
    return groups.get(row.applyAsInt(task)).resumes();
  }

  @Override
  public int saved(Task task, int units) {
    return groups.get(row.applyAsInt(task)).checkpoints().saved(units);
  }

  @Override
  public int intact(Task task, int repeated) {
    return torn[row.applyAsInt(task)].intact(task.trial(), task.units(), repeated);
  }
}
