package io.elastune.executor.decision.model;

import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.MeasuredTimes;
import io.elastune.core.policy.Width;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What HyperSched knows of its search.
 *
 * @param times the start-ups and times of units so far
 * @param first by attempt that trains and has reported once: what that report covers
 */
public record HyperSchedProgress(
    HyperSchedState state, MeasuredTimes times, SortedMap<String, FirstReport> first) {
  /**
   * The first report of an attempt.
   *
   * @param units the units that it covers
   * @param seconds from the start of the attempt
   */
  public record FirstReport(int units, double seconds) {}

  public HyperSchedProgress {
    first = Collections.unmodifiableSortedMap(new TreeMap<>(first));
  }

  /** Returns the progress before the first trial. */
  public static HyperSchedProgress of(HyperSchedState initial) {
    return new HyperSchedProgress(initial, MeasuredTimes.NONE, new TreeMap<>());
  }

  /** Returns the progress with another state of the policy. */
  public HyperSchedProgress with(HyperSchedState other) {
    return new HyperSchedProgress(other, times, first);
  }

  /**
   * Returns the progress after the first report of an attempt.
   *
   * @param active the attempts in progress; what others have reported is not needed any more
   */
  public HyperSchedProgress with(String attempt, FirstReport report, Set<String> active) {
    SortedMap<String, FirstReport> others = new TreeMap<>(first);
    others.keySet().retainAll(active);
    others.put(attempt, report);
    return new HyperSchedProgress(state, times, others);
  }

  /**
   * Returns the progress after a later report of an attempt. The second one also shows how long its
   * start-up was.
   *
   * @param unitS its seconds per unit
   * @param measured the width whose times of units count
   */
  public HyperSchedProgress withLater(AttemptState before, double unitS, Width measured) {
    MeasuredTimes more = before.width().equals(measured) ? times.withUnit(unitS) : times;
    FirstReport report = first.get(before.attempt());
    if (report == null) {
      return new HyperSchedProgress(state, more, first);
    }
    SortedMap<String, FirstReport> others = new TreeMap<>(first);
    others.remove(before.attempt());
    double startupS = report.seconds() - report.units() * unitS;
    return new HyperSchedProgress(state, more.withStartup(startupS), others);
  }
}
