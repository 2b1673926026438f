package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.inspect.RunFinder;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.RunFolder;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Computes the cost of the runs that a schedule started in one calendar month. It reads their
 * journals; the log of the schedule has the cost of runs that were removed since.
 */
final class MonthlyCost {
  private final CliEnvironment cliEnvironment;
  private final ScheduleStore store;

  MonthlyCost(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.store = new ScheduleStore(cliEnvironment);
  }

  /** Returns the time zone of this machine, in which schedules start and months begin. */
  static ZoneId zone(CliEnvironment cliEnvironment) {
    Optional<String> zone =
        cliEnvironment.variable("TZ").filter(ZoneId.getAvailableZoneIds()::contains);
    return zone.map(ZoneId::of).orElseGet(ZoneId::systemDefault);
  }

  /** Returns the month of a moment. */
  YearMonth month(Instant moment) {
    return YearMonth.from(moment.atZone(zone(cliEnvironment)));
  }

  /** Returns the cost in USD of the runs of the schedule that were started in {@code month}. */
  double usd(String schedule, String job, YearMonth month) {
    List<StartRecord> starts =
        store.log(schedule).stream()
            .filter(start -> start.state() != StartRecord.State.SKIPPED)
            .toList();
    double usd = 0;
    for (int i = 0; i < starts.size(); i++) {
      StartRecord start = starts.get(i);
      if (month(start.at()).equals(month)) {
        Instant next = i + 1 < starts.size() ? starts.get(i + 1).at() : Instant.MAX;
        boolean ended = start.state() == StartRecord.State.ENDED;
        // Without a second line, the process was killed: its runs are those that began since.
        List<String> runs = ended ? start.runs() : began(job, start.at(), next);
        usd += Math.max(start.usd(), usd(runs));
      }
    }
    return usd;
  }

  /** Returns the names of the runs of a job, profiling runs included. */
  List<String> runsOf(String job) {
    Pattern name = Pattern.compile(Pattern.quote(job) + "-\\d{8}-[a-z0-9]{4}");
    return new RunFinder(cliEnvironment)
        .all().stream().map(RunFolder::run).filter(run -> name.matcher(run).matches()).toList();
  }

  /** Returns the cost of runs in USD, without runs whose journals were removed. */
  double usd(List<String> runs) {
    return runs.stream()
        .flatMap(run -> record(run).stream())
        .mapToDouble(record -> record.progress().spentUsd())
        .sum();
  }

  /** Returns the runs of a job that began in a period. */
  List<String> began(String job, Instant from, Instant to) {
    return runsOf(job).stream()
        .filter(
            run ->
                record(run)
                    .flatMap(record -> record.progress().began())
                    .filter(began -> !began.isBefore(from) && began.isBefore(to))
                    .isPresent())
        .toList();
  }

  private Optional<RunRecord> record(String run) {
    RunFolder folder = RunFolder.of(cliEnvironment.home(), run);
    try {
      return folder.exists() ? Optional.of(RunRecord.read(folder)) : Optional.empty();
    } catch (JournalException e) {
      return Optional.empty();
    }
  }
}
