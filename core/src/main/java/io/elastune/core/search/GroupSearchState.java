package io.elastune.core.search;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a search whose groups end at barriers.
 *
 * @param group the index of the group in progress
 * @param begun the highest number of a trial so far
 * @param members the trials of the group
 * @param pending the trials of the group that have neither reached its end nor been dropped
 * @param losses the losses of those that have reached it, by trial; NaN for none
 */
public record GroupSearchState(
    int group,
    int begun,
    List<Integer> members,
    List<Integer> pending,
    SortedMap<Integer, Double> losses)
    implements SearchState {
  /** Returns the state at the start of a group with these trials. */
  static GroupSearchState of(int group, int begun, List<Integer> members) {
    return new GroupSearchState(group, begun, members, members, new TreeMap<>());
  }

  public GroupSearchState {
    members = List.copyOf(members);
    pending = List.copyOf(pending);
    losses = Collections.unmodifiableSortedMap(new TreeMap<>(losses));
  }
}
