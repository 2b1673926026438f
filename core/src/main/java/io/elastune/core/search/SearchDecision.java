package io.elastune.core.search;

import java.util.List;

/** A decision of a search algorithm. */
public sealed interface SearchDecision {
  /** The group in progress has ended at its barrier. */
  record EndGroup(int group) implements SearchDecision {}

  /**
   * A group starts: each of its members is trained to the end of the group.
   *
   * @param members in ascending order; a group that starts at unit 0 has new trials
   */
  record BeginGroup(int group, List<Integer> members) implements SearchDecision {
    public BeginGroup {
      members = List.copyOf(members);
    }
  }

  /**
   * A task of a rung starts.
   *
   * @param rung its index
   * @param to the unit at which the task ends
   */
  record Train(int trial, int rung, int from, int to) implements SearchDecision {}

  /**
   * A new trial takes the place of another one in the next group, and continues from the checkpoint
   * of its parent.
   *
   * @param replaced the trial that stops
   * @param trial the number of the new one
   */
  record Replace(int replaced, int trial, int parent) implements SearchDecision {}

  /** A trial is not trained any further. If it is running, it is discarded. */
  record Stop(int trial) implements SearchDecision {}

  /** A trial has been trained to the end. */
  record Complete(int trial) implements SearchDecision {}

  /** No new trial starts any more. */
  record Closing() implements SearchDecision {}

  /** The search has ended: what still runs is discarded. */
  record Finished() implements SearchDecision {}
}
