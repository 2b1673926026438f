package io.elastune.core.policy;

import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of HyperSched. Its maps and sets are not copied, because a policy decides after every
 * event: they must not change any more.
 *
 * @param results by rung: the loss of each trial that has passed its target, there
 * @param cutOffs by rung: the loss above which a trial is paused
 * @param started trials that have started
 * @param paused trials that were paused
 * @param resumable paused trials that are behind no cut-off any more
 * @param changes the GPUs of trials that were started or changed, and their reports at that time
 * @param longestS the longest training time of any trial
 * @param isClosed whether no new or paused trial starts any more
 * @param isFull whether all GPUs are in use
 */
public record HyperSchedState(
    List<Map<Integer, Double>> results,
    List<Double> cutOffs,
    BitSet started,
    BitSet paused,
    BitSet resumable,
    SortedMap<Integer, Change> changes,
    double longestS,
    boolean isClosed,
    boolean isFull)
    implements PolicyState {
  /**
   * The last change of the GPUs of a trial.
   *
   * @param reports its reports before the change
   */
  public record Change(int gpus, int reports) {}

  public HyperSchedState {
    results = results.stream().map(Collections::unmodifiableMap).toList();
    cutOffs = List.copyOf(cutOffs);
    changes = Collections.unmodifiableSortedMap(changes);
  }

  /** Returns the state before the first trial. */
  static HyperSchedState initial(int rungs) {
    return new HyperSchedState(
        Collections.nCopies(rungs, Map.of()),
        Collections.nCopies(rungs, Double.POSITIVE_INFINITY),
        new BitSet(),
        new BitSet(),
        new BitSet(),
        new TreeMap<>(),
        0,
        false,
        false);
  }

  /** Whether a trial is behind the cut-off of a rung that it has passed. */
  boolean isBehind(int trial) {
    return isBehind(trial, results, cutOffs);
  }

  /** The same for the results and cut-offs of each rung. */
  static boolean isBehind(int trial, List<Map<Integer, Double>> results, List<Double> cutOffs) {
    for (int rung = 0; rung < cutOffs.size(); rung++) {
      Double loss = results.get(rung).get(trial);
      if (loss != null && !(loss <= cutOffs.get(rung))) {
        return true;
      }
    }
    return false;
  }
}
