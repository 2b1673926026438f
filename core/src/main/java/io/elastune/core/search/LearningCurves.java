package io.elastune.core.search;

import io.elastune.core.job.Metric;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Recorded or constructed learning curves: the metric of each trial by unit, and how long it was
 * trained (docs/searches.md, "Curves").
 *
 * @param goal whether the metric is maximized or minimized
 * @param points by trial and unit
 */
public record LearningCurves(
    Metric.Goal goal, SortedMap<Integer, NavigableMap<Integer, Point>> points) {
  /**
   * One report of a trial.
   *
   * @param metric NaN for none
   * @param seconds of training on one GPU since the report before; empty if they follow from the
   *     profile
   */
  public record Point(double metric, OptionalDouble seconds) {}

  /**
   * How long some units are trained.
   *
   * @param recordedS recorded seconds on one GPU
   * @param otherUnits units without recorded seconds
   */
  public record Work(double recordedS, double otherUnits) {}

  public LearningCurves {
    SortedMap<Integer, NavigableMap<Integer, Point>> copy = new TreeMap<>();
    points.forEach(
        (trial, curve) ->
            copy.put(trial, Collections.unmodifiableNavigableMap(new TreeMap<>(curve))));
    points = Collections.unmodifiableSortedMap(copy);
  }

  /** Returns whether the trial has a curve. */
  public boolean has(int trial) {
    return points.containsKey(trial);
  }

  /** Returns whether any curve has recorded seconds. */
  public boolean hasSeconds() {
    return points.values().stream()
        .flatMap(curve -> curve.values().stream())
        .anyMatch(point -> point.seconds().isPresent());
  }

  private NavigableMap<Integer, Point> of(int trial) {
    return points.getOrDefault(trial, Collections.emptyNavigableMap());
  }

  /** Returns the metric of the last report up to {@code unit}; NaN if there is none. */
  public double metric(int trial, int unit) {
    Map.Entry<Integer, Point> last = of(trial).floorEntry(unit);
    return last == null ? Double.NaN : last.getValue().metric();
  }

  /** Returns the same as a loss: less is better. */
  public double loss(int trial, int unit) {
    return TrialResult.loss(metric(trial, unit), goal);
  }

  /**
   * Returns the first unit after {@code from} at which a trial reports a metric or a better one;
   * empty if none.
   */
  public OptionalInt firstUnit(int trial, double metric, int from) {
    double most = TrialResult.loss(metric, goal);
    return IntStream.concat(
            IntStream.of(from + 1),
            of(trial).tailMap(from + 1, false).keySet().stream().mapToInt(unit -> unit))
        .filter(unit -> loss(trial, unit) <= most)
        .findFirst();
  }

  /** Returns how long the units after {@code from} up to {@code to} are trained. */
  public Work work(int trial, int from, int to) {
    double recordedS = 0;
    int recordedUnits = 0;
    int start = 0;
    for (Map.Entry<Integer, Point> row : of(trial).entrySet()) {
      int end = row.getKey();
      int units = Math.min(end, to) - Math.max(start, from);
      if (units > 0 && row.getValue().seconds().isPresent()) {
        recordedS += row.getValue().seconds().getAsDouble() * units / (end - start);
        recordedUnits += units;
      }
      start = end;
    }
    return new Work(recordedS, (double) to - from - recordedUnits);
  }

  /** Returns the same curves, in which {@code trial} continues the curve of {@code parent}. */
  public LearningCurves inherit(int trial, int parent) {
    if (has(trial)) {
      return this;
    }
    SortedMap<Integer, NavigableMap<Integer, Point>> more = new TreeMap<>(points);
    more.put(trial, new TreeMap<>(of(parent)));
    return new LearningCurves(goal, more);
  }
}
