package io.elastune.profiler;

import io.elastune.core.job.Search;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.TrialGroups;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.PreparationRow;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import io.elastune.profiler.AttemptTimes.Report;
import io.elastune.profiler.AttemptTimes.ReportedStartup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Reads measured times from the records of a run. */
final class RunMeasurements {
  private static final double BYTES_PER_GB = 1e9;

  /** Memory is rounded up to a MB. */
  private static final double GB_DIGITS = 1e3;

  private RunMeasurements() {}

  /**
   * The measurements of one lease.
   *
   * @param queueS seconds from request to running
   * @param bootS seconds from running to ready
   * @param preparation the part of them that the job's setup took, if it is known
   */
  record LeaseTimes(String offer, double queueS, double bootS, PreparationRow preparation) {}

  /** Returns the hyperparameters of every trial. */
  static Map<Integer, Map<String, Object>> configurations(RunReader run) {
    return run.trials().stream().collect(Collectors.toMap(TrialRow::trial, TrialRow::config));
  }

  /**
   * Returns the metrics of trials where a search compares them: by rung, or end of a trial group,
   * and by trial. Empty for populations, whose trials change.
   */
  static List<Map<Integer, Double>> resultsByRung(RunReader run, Search search) {
    Workload workload = TrialGroups.of(search);
    if (workload.population().isPresent()) {
      return List.of();
    }
    SortedMap<Integer, Map<Integer, Double>> results = new TreeMap<>();
    workload
        .rungs()
        .map(RungRule::targets)
        .orElseGet(() -> workload.groups().stream().map(TrialGroup::toUnit).toList())
        .forEach(target -> results.put(target, new TreeMap<>()));
    for (ReportRow report : run.reports()) {
      Map<Integer, Double> atTarget = results.get(report.unit());
      double metric = report.metrics().getOrDefault(search.metric().name(), Double.NaN);
      if (atTarget != null && Double.isFinite(metric)) {
        atTarget.put(report.trial(), metric);
      }
    }
    return List.copyOf(results.values());
  }

  /** Returns the most memory in GB that a worker of any attempt used; empty if it is unknown. */
  static OptionalDouble workerGb(RunReader run) {
    return workerGb(run, attemptRow -> true);
  }

  /** Returns the same of the attempts among {@code used}. */
  static OptionalDouble workerGb(RunReader run, Predicate<AttemptRow> used) {
    Map<String, Long> bytes = run.memoryBytes();
    return run.attempts().stream()
        .filter(used)
        .filter(row -> bytes.containsKey(row.attempt()))
        .mapToDouble(
            row -> bytes.getOrDefault(row.attempt(), 0L) / BYTES_PER_GB / row.places().size())
        .map(gb -> Math.ceil(gb * GB_DIGITS) / GB_DIGITS)
        .max();
  }

  /** Returns the times of every attempt that reported at least once. */
  static List<AttemptTimes> attempts(RunReader run) {
    return attempts(run, attemptRow -> true);
  }

  /**
   * Returns the times of every attempt among {@code used} that reported at least once, and during
   * which the controller was not suspended.
   */
  static List<AttemptTimes> attempts(RunReader run, Predicate<AttemptRow> used) {
    SuspendedTimes suspended = new SuspendedTimes(run);
    Map<String, GroupRow> groups =
        run.groups().stream().collect(Collectors.toMap(GroupRow::name, Function.identity()));
    Map<String, List<ReportRow>> reportRows =
        run.reports().stream().collect(Collectors.groupingBy(ReportRow::attempt));
    Map<String, Instant> firstEnds = firstEnds(run);
    List<AttemptTimes> times = new ArrayList<>();
    for (AttemptRow attemptRow : run.attempts()) {
      GroupRow group = groups.get(attemptRow.group());
      List<Report> reports =
          reports(attemptRow, reportRows.getOrDefault(attemptRow.attempt(), List.of()));
      boolean isMeasured = used.test(attemptRow) && !suspended.include(attemptRow);
      if (!reports.isEmpty() && group != null && isMeasured) {
        times.add(
            new AttemptTimes(
                size(attemptRow, group),
                attemptRow.trial(),
                attemptRow.places().stream().map(GpuSlot::lease).distinct().sorted().toList(),
                isCold(attemptRow, firstEnds),
                attemptRow.to() - attemptRow.from(),
                reports,
                totalS(attemptRow, reports),
                startup(reportRows.getOrDefault(attemptRow.attempt(), List.of()))));
      }
    }
    return times;
  }

  /** The GPUs of its group may have changed since; its slots are one per GPU. */
  private static TrialSize size(AttemptRow attemptRow, GroupRow group) {
    int gpus = attemptRow.places().size();
    return new TrialSize(gpus, gpus == 1 ? group.trialsPerGpu() : 1);
  }

  /** Returns the valid reports: each one is of a later unit than the one before. */
  private static List<Report> reports(AttemptRow attemptRow, List<ReportRow> reportRows) {
    List<Report> reports = new ArrayList<>();
    int last = attemptRow.from();
    for (ReportRow reportRow : reportRows) {
      if (reportRow.unit() > last && reportRow.unit() <= attemptRow.to()) {
        last = reportRow.unit();
        double seconds = Seconds.between(attemptRow.started(), reportRow.at());
        reports.add(new Report(last - attemptRow.from(), seconds));
      }
    }
    return reports;
  }

  /** Returns the parts of the start-up in the first report of an attempt (docs/profiling.md). */
  private static ReportedStartup startup(List<ReportRow> reportRows) {
    Map<String, Double> metrics = reportRows.get(0).metrics();
    return new ReportedStartup(
        seconds(metrics, "startup_process_s"), seconds(metrics, "startup_data_s"));
  }

  private static OptionalDouble seconds(Map<String, Double> metrics, String name) {
    double value = metrics.getOrDefault(name, Double.NaN);
    return value >= 0 && Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  private static OptionalDouble totalS(AttemptRow attemptRow, List<Report> reports) {
    Report last = reports.get(reports.size() - 1);
    boolean complete =
        last.units() == attemptRow.to() - attemptRow.from()
            && attemptRow.exitCode().orElse(-1) == 0;
    return complete
        ? OptionalDouble.of(Seconds.between(attemptRow.started(), attemptRow.ended().orElseThrow()))
        : OptionalDouble.empty();
  }

  /** Returns when the first attempt on each lease ended. */
  private static Map<String, Instant> firstEnds(RunReader run) {
    Map<String, Instant> ends = new HashMap<>();
    for (AttemptRow attemptRow : run.attempts()) {
      for (GpuSlot place : attemptRow.places()) {
        attemptRow
            .ended()
            .ifPresent(
                at ->
                    ends.merge(
                        place.lease(), at, (one, other) -> one.isBefore(other) ? one : other));
      }
    }
    return ends;
  }

  /** Whether no attempt had ended on one of its instances before. */
  private static boolean isCold(AttemptRow attemptRow, Map<String, Instant> firstEnds) {
    return attemptRow.places().stream()
        .map(place -> firstEnds.getOrDefault(place.lease(), Instant.MAX))
        .anyMatch(end -> end.isAfter(attemptRow.started()));
  }

  /** Returns the times of every lease that became ready. */
  static List<LeaseTimes> leases(RunReader run) {
    return leases(run, run.leases());
  }

  /** Returns the times of every lease among {@code leaseRows} that became ready. */
  static List<LeaseTimes> leases(RunReader run, List<LeaseRow> leaseRows) {
    Map<String, PreparationRow> preparations = run.preparations();
    Function<LeaseRow, LeaseTimes> times =
        leaseRow -> {
          Instant running = leaseRow.running().orElseThrow();
          return new LeaseTimes(
              leaseRow.offer(),
              Math.max(0, Seconds.between(leaseRow.requested(), running)),
              Math.max(0, Seconds.between(running, leaseRow.ready().orElseThrow())),
              preparations.getOrDefault(leaseRow.lease(), PreparationRow.UNKNOWN));
        };
    return leaseRows.stream()
        .filter(leaseRow -> leaseRow.running().isPresent() && leaseRow.ready().isPresent())
        .map(times)
        .toList();
  }
}
