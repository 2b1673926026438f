package io.elastune.profiler;

import io.elastune.profiler.AttemptTimes.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Finds the unit of an attempt from which on its speed is steady: before it, caches and compilers
 * warm up, or a GPU does not throttle yet. The change-point is the one of the greatest likelihood
 * over the logarithms of all unit times of one size, with a mean before and a mean after it. It
 * counts only if it improves the modified Bayes information criterion of Zhang and Siegmund,
 * Biometrics 63 (2007), and if the means differ noticeably.
 *
 * @param from units since the start of the attempt; 0 if the speed never changes
 * @param isWarmUp whether units before it are slower
 */
record SteadyState(int from, boolean isWarmUp) {
  /** No change of the speed. */
  static final SteadyState AT_ONCE = new SteadyState(0, false);

  private static final int LEAST_POINTS = 6;
  private static final int LEAST_AFTER = 3;

  /** Smaller changes of the speed do not matter, as logarithms. */
  private static final double LEAST_CHANGE = 0.05;

  /** Penalty of a change-point, in logarithms of the number of unit times. */
  private static final double PENALTY = 3;

  private static final double LEAST_VARIANCE = 1e-12;

  /** The logarithm of a unit time, relative to the others of its attempt. */
  private record Point(int from, int to, double log) {}

  /** Returns the steady state of attempts of one size. */
  static SteadyState of(List<AttemptTimes> attempts) {
    List<Point> points = points(attempts);
    if (points.size() < LEAST_POINTS) {
      return AT_ONCE;
    }
    double[] logs = points.stream().mapToDouble(Point::log).toArray();
    double constant = squares(logs, 0, logs.length);
    double best = constant;
    int split = 0;
    for (int i = 1; i <= logs.length - Math.max(LEAST_AFTER, logs.length / 2); i++) {
      if (points.get(i).from() > points.get(i - 1).from()) {
        double divided = squares(logs, 0, i) + squares(logs, i, logs.length);
        if (divided < best) {
          best = divided;
          split = i;
        }
      }
    }
    return split > 0 && isSignificant(constant, best, logs, split)
        ? new SteadyState(points.get(split).from(), before(logs, split) > after(logs, split))
        : AT_ONCE;
  }

  private static boolean isSignificant(double constant, double best, double[] logs, int split) {
    int n = logs.length;
    double gain = n * Math.log((constant / n + LEAST_VARIANCE) / (best / n + LEAST_VARIANCE));
    return gain > PENALTY * Math.log(n)
        && Math.abs(before(logs, split) - after(logs, split)) > LEAST_CHANGE;
  }

  private static List<Point> points(List<AttemptTimes> attempts) {
    List<Point> points = new ArrayList<>();
    for (AttemptTimes attempt : attempts) {
      List<Interval> intervals = MergedIntervals.of(attempt.intervals(false));
      double[] unitS = intervals.stream().mapToDouble(Interval::unitS).toArray();
      double typical = unitS.length == 0 ? 1 : StatUtils.percentile(unitS, 50);
      for (Interval interval : intervals) {
        int to = interval.from() + interval.units();
        points.add(new Point(interval.from(), to, Math.log(interval.unitS() / typical)));
      }
    }
    points.sort(Comparator.comparingInt(Point::from).thenComparingInt(Point::to));
    return points;
  }

  private static double before(double[] logs, int split) {
    return StatUtils.mean(logs, 0, split);
  }

  private static double after(double[] logs, int split) {
    return StatUtils.mean(logs, split, logs.length - split);
  }

  private static double squares(double[] logs, int begin, int end) {
    double mean = StatUtils.mean(logs, begin, end - begin);
    return DoubleStream.of(logs)
        .skip(begin)
        .limit(end - begin)
        .map(x -> (x - mean) * (x - mean))
        .sum();
  }

  /** Returns the intervals in which the speed is steady. */
  List<Interval> steady(List<Interval> intervals) {
    return intervals.stream().filter(interval -> interval.from() >= from).toList();
  }

  /** Returns the seconds that the units of an attempt took in addition while it warmed up. */
  double warmUpS(AttemptTimes attempt, double unitS) {
    return isWarmUp
        ? attempt.intervals(false).stream()
            .filter(interval -> interval.from() < from)
            .mapToDouble(interval -> interval.seconds() - interval.units() * unitS)
            .sum()
        : 0;
  }
}
