package io.elastune.core.policy;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of HyperSched.
 *
 * @param results by rung: the loss of each trial that has passed its target, there
 * @param started trials that have started
 * @param paused trials that were paused
 * @param changes the GPUs of trials that were started or changed, and their reports at that time
 * @param longestS the longest training time of any trial
 * @param isClosed whether no new or paused trial starts any more
 */
public record HyperSchedState(
    List<SortedMap<Integer, Double>> results,
    SortedSet<Integer> started,
    SortedSet<Integer> paused,
    SortedMap<Integer, Change> changes,
    double longestS,
    boolean isClosed)
    implements PolicyState {
  /**
   * The last change of the GPUs of a trial.
   *
   * @param reports its reports before the change
   */
  public record Change(int gpus, int reports) {}

  public HyperSchedState {
    results =
        results.stream()
            .map(losses -> Collections.unmodifiableSortedMap(new TreeMap<>(losses)))
            .toList();
    started = Collections.unmodifiableSortedSet(new TreeSet<>(started));
    paused = Collections.unmodifiableSortedSet(new TreeSet<>(paused));
    changes = Collections.unmodifiableSortedMap(new TreeMap<>(changes));
  }

  /** Returns the state before the first trial. */
  static HyperSchedState initial(int rungs) {
    return new HyperSchedState(
        Collections.nCopies(rungs, new TreeMap<>()),
        new TreeSet<>(),
        new TreeSet<>(),
        new TreeMap<>(),
        0,
        false);
  }
}
