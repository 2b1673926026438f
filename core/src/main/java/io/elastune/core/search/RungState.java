package io.elastune.core.search;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The state of a search made of rungs.
 *
 * @param begun trials started so far; their numbers are 1 to this
 * @param results by bracket and rung, the results so far, best first
 * @param tasks by trial, the rung of its task that was issued and has not ended
 * @param interrupted the trials whose task must be issued again
 * @param early the trials that need no more training
 */
public record RungState(
    Phase phase,
    int begun,
    List<List<List<Entry>>> results,
    SortedMap<Integer, Integer> tasks,
    SortedSet<Integer> interrupted,
    SortedSet<Integer> early)
    implements SearchState {
  /** The phase of a search made of rungs. */
  public enum Phase {
    /** New trials may start. */
    OPEN,
    /** No new trial starts. */
    CLOSING,
    /** Nothing starts. */
    FINISHED
  }

  /**
   * A result in a rung.
   *
   * @param promoted whether the trial was promoted from the rung
   */
  public record Entry(TrialResult result, boolean promoted) {
    int trial() {
      return result.trial();
    }

    Entry asPromoted() {
      return new Entry(result, true);
    }
  }

  public RungState {
    results = results.stream().map(bracket -> bracket.stream().map(List::copyOf).toList()).toList();
    tasks = Collections.unmodifiableSortedMap(new TreeMap<>(tasks));
    interrupted = Collections.unmodifiableSortedSet(new TreeSet<>(interrupted));
    early = Collections.unmodifiableSortedSet(new TreeSet<>(early));
  }

  static RungState initial(int brackets, int rungs) {
    return new RungState(
        Phase.OPEN,
        0,
        Collections.nCopies(brackets, Collections.nCopies(rungs, List.of())),
        new TreeMap<>(),
        new TreeSet<>(),
        new TreeSet<>());
  }

  /** Returns the results of the first rung of each bracket. */
  public List<Entry> firstResults() {
    return IntStream.range(0, results.size())
        .mapToObj(bracket -> results.get(bracket).get(bracket))
        .flatMap(List::stream)
        .toList();
  }

  /** Whether the search has ended. */
  public boolean isFinished() {
    return phase == Phase.FINISHED;
  }
}
