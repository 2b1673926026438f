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
final class RunTimes {
  private RunTimes() {}

  /** Returns the times of every attempt that reported at least once. */
  static List<TrialTimes> trials(RunReader run) {
    Map<String, Integer> sizes =
        run.groups().stream()
            .collect(Collectors.toMap(RunReader.Group::name, RunReader.Group::gpusPerTrial));
    Map<String, List<RunReader.Report>> reports =
        run.reports().stream().collect(Collectors.groupingBy(RunReader.Report::attempt));
    List<TrialTimes> times = new ArrayList<>();
    for (RunReader.Attempt attempt : run.attempts()) {
      List<RunReader.Report> reported = reports.getOrDefault(attempt.attempt(), List.of());
      Integer gpus = sizes.get(attempt.group());
      if (!reported.isEmpty() && gpus != null) {
        times.add(times(gpus, attempt, reported));
      }
    }
    return times;
  }

  private static TrialTimes times(
      int gpus, RunReader.Attempt attempt, List<RunReader.Report> reports) {
    double first = Seconds.between(attempt.started(), reports.get(0).at());
    List<Double> later = new ArrayList<>();
    for (int i = 1; i < reports.size(); i++) {
      RunReader.Report before = reports.get(i - 1);
      int units = reports.get(i).unit() - before.unit();
      if (units > 0) {
        later.add(atLeastAMillisecond(Seconds.between(before.at(), reports.get(i).at())) / units);
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
    Function<RunReader.Lease, LeaseTimes> times =
        lease -> {
          Instant running = lease.running().orElseThrow();
          return new LeaseTimes(
              lease.offer(),
              Seconds.between(lease.requested(), running),
              Seconds.between(running, lease.ready().orElseThrow()));
        };
    return run.leases().stream().filter(lease -> lease.ready().isPresent()).map(times).toList();
  }
}
