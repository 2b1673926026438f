package io.elastune.profiler;

import io.elastune.core.Preconditions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The measured times of one attempt that reported at least once.
 *
 * @param size the trial's GPUs
 * @param trial the trial's number
 * @param leases the instances that it ran on, in sorted order
 * @param cold whether it was among the first attempts on an instance, when no file was cached yet
 * @param units units that it was to train
 * @param reports its reports in order of their units
 * @param totalS seconds from its start to the exit of its workers; empty if it did not train all
 *     its units
 * @param reported the parts of its start-up that it reported itself
 */
record AttemptTimes(
    TrialSize size,
    int trial,
    List<String> leases,
    boolean cold,
    int units,
    List<Report> reports,
    OptionalDouble totalS,
    ReportedStartup reported) {
  /**
   * One report.
   *
   * @param units units since the start of the attempt
   * @param seconds seconds since the start of the attempt
   */
  record Report(int units, double seconds) {}

  /**
   * The time between two reports: {@code units} took {@code seconds}.
   *
   * @param from units since the start of the attempt at the first of these reports
   */
  record Interval(int from, int units, double seconds) {
    double unitS() {
      return seconds / units;
    }
  }

  /** Parts of a start-up, in seconds. */
  record ReportedStartup(OptionalDouble processS, OptionalDouble dataS) {
    static final ReportedStartup NONE =
        new ReportedStartup(OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** The least time between two reports: a time of zero would mean an infinite speed. */
  private static final double LEAST_S = 1e-6;

  /** Reports may overtake each other by this much; more is a clock that was set back. */
  private static final double LATE_S = 1;

  AttemptTimes {
    leases = List.copyOf(leases);
    reports = List.copyOf(reports);
    Preconditions.that(!reports.isEmpty(), "an attempt without a report was not measured");
  }

  /** Returns whether the clock was set back while the attempt ran. */
  boolean clockSetBack() {
    double latest = 0;
    for (Report report : reports) {
      if (report.seconds() < latest - LATE_S) {
        return true;
      }
      latest = Math.max(latest, report.seconds());
    }
    return totalS.isPresent() && totalS.getAsDouble() < latest - LATE_S;
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
        double seconds = Math.max(LEAST_S, report.seconds() - before.seconds());
        intervals.add(new Interval(before.units(), report.units() - before.units(), seconds));
      }
    }
    return intervals;
  }

  /** Returns the units that no interval measures: those before the first report, and the last. */
  int unmeasuredUnits() {
    int measured = intervals(totalS.isEmpty()).stream().mapToInt(Interval::units).sum();
    return wholeUnits() - measured;
  }

  /**
   * Returns the seconds that the attempt took in addition to its units: process start, data,
   * restore, checkpoint and shutdown, without warm-up. It is negative if its first unit was fast.
   *
   * @param secondsPerUnit seconds of each unit that no interval measures
   */
  double startupS(double secondsPerUnit) {
    double measured = intervals(totalS.isEmpty()).stream().mapToDouble(Interval::seconds).sum();
    return wholeS() - measured - unmeasuredUnits() * secondsPerUnit;
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
