package io.elastune.core.timeline;

import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.SearchDecision.Train;

/** A search made of rungs on a timeline without faults, with durations of tasks for tests. */
public final class PlayedRungs {
  /** The durations and results of tasks. */
  public interface Model {
    /**
     * Returns the seconds of a task.
     *
     * @param gpus GPUs of the trial
     * @param starts whether the seconds include the start-up of the program
     */
    double seconds(Train task, int gpus, int instance, boolean starts);

    /** Returns the loss of a trial at the target of a rung: less is better. */
    double loss(int trial, int rung);
  }

  /** The search. */
  public final RungsRun search;

  /** The timeline on which it is played. */
  public final Timeline timeline;

  /**
   * Prepares a search that begins.
   *
   * @param readyS by instance: when it is ready
   * @param newUnitS seconds per unit of a new trial
   */
  public PlayedRungs(
      RungRule rule, PhaseSizes.Plan plan, double[] readyS, double newUnitS, Model model) {
    search = new RungsRun(rule, new RungSearch(rule).initial(), newUnitS);
    PhaseSizes sizes = new PhaseSizes(plan, search, readyS.length);
    timeline =
        new Timeline(
            search,
            new ListPolicy(search, sizes, plan.gpusPerInstance()),
            new TrialTimes() {
              @Override
              public void begin(Task task, Instance instance, boolean starts) {
                Train train = new Train(task.trial(), task.group(), task.from(), task.to());
                double seconds = model.seconds(train, task.gpus(), instance.number(), starts);
                task.lasts(0, seconds / task.units(), seconds);
              }

              @Override
              public double loss(Task task) {
                return model.loss(task.trial(), task.group());
              }
            },
            InstanceTimes.readyAt(readyS),
            plan.gpusPerInstance());
  }
}
