package io.elastune.core.search;

import java.util.List;

/** Decides at a barrier which trials the next group has. */
interface BarrierRule {
  /**
   * Returns the next group's members and the decisions that precede its start.
   *
   * @param state the state of the search after the last trial of the group has ended
   * @param trials the number of trials of the next group
   */
  Survivors at(GroupSearchState state, int trials);

  /**
   * The result of a barrier.
   *
   * @param members trials of the next group in ascending order; none if the search has ended
   * @param begun the highest number of a trial so far
   */
  record Survivors(List<Integer> members, int begun, List<SearchDecision> decisions) {
    public Survivors {
      members = List.copyOf(members);
      decisions = List.copyOf(decisions);
    }
  }
}
