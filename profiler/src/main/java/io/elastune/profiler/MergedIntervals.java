package io.elastune.profiler;

import io.elastune.profiler.AttemptTimes.Interval;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges successive intervals between reports until they last long enough: the variation of shorter
 * ones is that of the clock and of the operating system.
 */
final class MergedIntervals {
  private static final double SHORTEST_S = 0.1;

  private MergedIntervals() {}

  /** Returns intervals of at least a tenth of a second; a shorter rest is left out. */
  static List<Interval> of(List<Interval> all) {
    List<Interval> merged = new ArrayList<>();
    int from = 0;
    int units = 0;
    double seconds = 0;
    for (Interval interval : all) {
      from = units == 0 ? interval.from() : from;
      units += interval.units();
      seconds += interval.seconds();
      if (seconds >= SHORTEST_S) {
        merged.add(new Interval(from, units, seconds));
        units = 0;
        seconds = 0;
      }
    }
    return merged;
  }
}
