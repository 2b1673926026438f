package io.elastune.profiler;

import io.elastune.core.Preconditions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The measured times of one attempt that reported at least once.
 *
 * @param gpus the trial's GPUs
 * @param trial the trial's number
 * @param cold whether it was among the first attempts on an instance, when no file was cached yet
 * @param units units that it was to train
 * @param reports its reports in order of their units
 * @param totalS seconds from its start to the exit of its workers; empty if it did not train all
 *     its units
 */
record AttemptTimes(
    int gpus, int trial, boolean cold, int units, List<Report> reports, OptionalDouble totalS) {
  /**
   * One report.
   *
   * @param units units since the start of the attempt
   * @param seconds seconds since the start of the attempt
   */
  record Report(int units, double seconds) {}

  /** The time between two reports: {@code units} took {@code seconds}. */
  record Interval(int units, double seconds) {
    double unitS() {
      return seconds / units;
    }
  }

  AttemptTimes {
    reports = List.copyOf(reports);
    Preconditions.that(!reports.isEmpty(), "an attempt without a report was not measured");
  }

  /**
   * Returns the times between successive reports.
   *
   * @param withLast whether to include the interval to the report for the last unit, during which
   *     the trial writes its checkpoint
   */
  List<Interval> intervals(boolean withLast) {
    List<Interval> intervals = new ArrayList<>();
    for (int i = 1; i < reports.size(); i++) {
      Report before = reports.get(i - 1);
      Report report = reports.get(i);
      if (withLast || report.units() < units) {
        intervals.add(
            new Interval(report.units() - before.units(), report.seconds() - before.seconds()));
      }
    }
    return intervals;
  }

  /**
   * Returns the seconds that the attempt took in addition to its units of {@code secondsPerUnit}
   * each: process start, data, restore, warm-up, checkpoint and shutdown.
   */
  double startupS(double secondsPerUnit) {
    Report first = reports.get(0);
    double extra =
        totalS.isPresent()
            ? totalS.getAsDouble() - units * secondsPerUnit
            : first.seconds() - first.units() * secondsPerUnit;
    return Math.max(0, extra);
  }

  /** Returns the seconds of all its units, including its start-up. */
  double wholeS() {
    return totalS.orElseGet(() -> reports.get(reports.size() - 1).seconds());
  }

  /** Returns the units that {@link #wholeS} covers. */
  int wholeUnits() {
    return totalS.isPresent() ? units : reports.get(reports.size() - 1).units();
  }
}
