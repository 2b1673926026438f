package io.elastune.core.search;

import io.elastune.core.plan.TrialGroup;
import java.util.Collections;
import java.util.List;

/**
 * A trial group in progress of a chain that shares instances, with the places of its trials.
 *
 * @param group with all its units, and the trials that have not ended
 * @param running the trials that an attempt trains, in the order in which these started
 * @param waiting of each other trial: the units of the group from which it would continue
 */
public record PresentGroup(TrialGroup group, List<RunningTrial> running, List<Integer> waiting) {
  public PresentGroup {
    running = List.copyOf(running);
    waiting = List.copyOf(waiting);
  }

  /**
   * A trial that an attempt trains.
   *
   * @param doneUnits the units of the group from which another attempt would continue
   * @param instance the index of the instance on which it runs
   * @param firstGpu the lowest GPU that it uses
   * @param gpus the GPUs that it uses
   * @param leftS seconds until it ends
   */
  public record RunningTrial(int doneUnits, int instance, int firstGpu, int gpus, double leftS) {}

  /** Returns a group all of whose trials wait, and have trained no unit of it. */
  public static PresentGroup waiting(TrialGroup group) {
    return new PresentGroup(group, List.of(), Collections.nCopies(group.trials(), 0));
  }
}
