package io.elastune.profiler;

import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.RunReader;
import io.elastune.profiler.ProfileFit.LeaseTimes;
import io.elastune.profiler.ProfileFit.TrialTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads measured times from the records of a run. */
final class RunMeasurements {
  private RunMeasurements() {}

  /** Returns the times of every attempt that reported at least once. */
  static List<TrialTimes> trials(RunReader run) {
    Map<String, Integer> sizes =
        run.groups().stream()
            .collect(Collectors.toMap(RunReader.GroupRow::name, RunReader.GroupRow::gpusPerTrial));
    Map<String, List<RunReader.ReportRow>> reportRows =
        run.reports().stream().collect(Collectors.groupingBy(RunReader.ReportRow::attempt));
    List<TrialTimes> times = new ArrayList<>();
    for (RunReader.AttemptRow attemptRow : run.attempts()) {
      List<RunReader.ReportRow> reported = reportRows.getOrDefault(attemptRow.attempt(), List.of());
      Integer gpus = sizes.get(attemptRow.group());
      if (!reported.isEmpty() && gpus != null) {
        times.add(times(gpus, attemptRow, reported));
      }
    }
    return times;
  }

  private static TrialTimes times(
      int gpus, RunReader.AttemptRow attemptRow, List<RunReader.ReportRow> reportRows) {
    double first = Seconds.between(attemptRow.started(), reportRows.get(0).at());
    List<Double> later = new ArrayList<>();
    for (int i = 1; i < reportRows.size(); i++) {
      RunReader.ReportRow before = reportRows.get(i - 1);
      int units = reportRows.get(i).unit() - before.unit();
      if (units > 0) {
        later.add(
            atLeastAMillisecond(Seconds.between(before.at(), reportRows.get(i).at())) / units);
      }
    }
    return new TrialTimes(gpus, atLeastAMillisecond(first), later);
  }

  /**
   * Returns at least one millisecond, the resolution of the journal: a time of zero would mean an
   * infinite speed.
   */
  private static double atLeastAMillisecond(double seconds) {
    return Math.max(0.001, seconds);
  }

  /** Returns the times of every lease that became ready. */
  static List<LeaseTimes> leases(RunReader run) {
    Function<RunReader.LeaseRow, LeaseTimes> times =
        leaseRow -> {
          Instant running = leaseRow.running().orElseThrow();
          return new LeaseTimes(
              leaseRow.offer(),
              Seconds.between(leaseRow.requested(), running),
              Seconds.between(running, leaseRow.ready().orElseThrow()));
        };
    return run.leases().stream()
        .filter(leaseRow -> leaseRow.ready().isPresent())
        .map(times)
        .toList();
  }
}
