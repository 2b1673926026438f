package io.elastune.profiler;

import io.elastune.profiler.AttemptTimes.Interval;
import java.util.List;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Leaves out attempts during which the clock was set forward, or the machine was suspended. Then an
 * interval between two reports is much longer than usual. If at least half of the attempts have
 * such intervals, the program itself is that irregular, and all attempts count.
 */
final class InterruptedAttempts {
  /** A unit that takes this many times the median is not slow training. */
  private static final double TOO_SLOW = 20;

  private InterruptedAttempts() {}

  /** Returns the attempts of one size that were not interrupted. */
  static List<AttemptTimes> removed(List<AttemptTimes> attempts) {
    double[] unitS =
        attempts.stream()
            .flatMap(one -> MergedIntervals.of(one.intervals(true)).stream())
            .mapToDouble(Interval::unitS)
            .toArray();
    double limitS = unitS.length == 0 ? 0 : TOO_SLOW * StatUtils.percentile(unitS, 50);
    List<AttemptTimes> others =
        attempts.stream().filter(one -> !isInterrupted(one, limitS)).toList();
    return 2 * others.size() > attempts.size() ? others : attempts;
  }

  private static boolean isInterrupted(AttemptTimes attempt, double limitS) {
    return MergedIntervals.of(attempt.intervals(true)).stream()
        .anyMatch(interval -> interval.unitS() > limitS);
  }
}
