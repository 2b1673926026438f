package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.RunSchedule;
import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Shows schedules: {@code elastune schedule list} and {@code log}, and the lines of {@code status}.
 */
public final class ScheduleReport {
  private static final int SHOWN_STARTS = 3;

  /** Times with their zone, because a schedule starts in that of the machine. */
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z", Locale.ROOT);

  private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("yyyy-MM");

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final ScheduleStore store;
  private final MonthlyCost cost;
  private final ScheduleLog log;

  public ScheduleReport(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.store = new ScheduleStore(cliEnvironment);
    this.cost = new MonthlyCost(cliEnvironment);
    this.log = new ScheduleLog(cliEnvironment);
  }

  /** Lists all schedules with their next start, and the cost of this month. */
  public ExitCode list() {
    List<Schedule> schedules = store.all();
    if (schedules.isEmpty()) {
      output
          .text()
          .println("No schedules. Add one: elastune schedule add job.yaml --cron '0 2 * * *'");
    } else {
      TextTable table =
          new TextTable()
              .left("schedule")
              .left("cron")
              .left("next start")
              .left("timer")
              .right("spent in " + MONTH.format(cost.month(now())))
              .right("monthly budget")
              .left("job");
      for (Schedule schedule : schedules) {
        table.row(
            schedule.name(),
            schedule.cron().toString(),
            START.format(starts(schedule).get(0)),
            schedule.timer(),
            text(spent(schedule)),
            schedule.monthlyUsd().stream()
                .mapToObj(UsdFormat::format)
                .collect(Collectors.joining()),
            schedule.job());
      }
      table.lines().forEach(output.text()::println);
      schedules.forEach(this::printUnknown);
    }
    output.jsonDocument(() -> schedules.stream().map(this::document).toList());
    return ExitCode.DONE;
  }

  private static String text(MonthlyCost.Spent spent) {
    return spent.unknown().isEmpty()
        ? UsdFormat.format(spent.knownUsd())
        : UsdFormat.format(spent.knownUsd()) + " + unknown";
  }

  /** Shows all starts of a schedule, the oldest first. */
  public ExitCode log(String name) {
    Schedule schedule = store.get(name);
    List<StartRecord> lines = log.lines(schedule);
    for (StartRecord line : lines) {
      output.text().println(START.format(zoned(line.at())) + "  " + text(line));
    }
    if (lines.isEmpty()) {
      output.text().println("Schedule " + name + " has not started yet.");
    }
    printUnknown(schedule);
    output.jsonDocument(() -> lines.stream().map(StartDocument::of).toList());
    return ExitCode.DONE;
  }

  private static String text(StartRecord line) {
    String runs = line.runs().isEmpty() ? "" : ": " + String.join(", ", line.names());
    String cost =
        line.usd().stream().mapToObj(UsdFormat::format).findFirst().orElse("cost unknown");
    return switch (line.state()) {
      case STARTED -> "in progress" + (line.runs().isEmpty() ? "" : ", " + cost + runs);
      case ENDED -> "ended with exit code " + line.exit() + ", " + cost + runs;
      case KILLED -> "the process was killed, " + cost + runs;
      case SKIPPED -> "skipped: " + line.text();
      case COST -> "cost stated: " + cost + runs;
    };
  }

  private void printUnknown(Schedule schedule) {
    List<String> unknown = spent(schedule).unknown();
    if (!unknown.isEmpty()) {
      String text = UnknownCost.text(cliEnvironment, schedule, unknown);
      output.text().println(schedule.name() + ": " + text + ".");
    }
  }

  /** Returns lines for the state of a run: the schedule that started it, and its monthly budget. */
  public List<String> linesFor(String run) {
    return ofRun(run)
        .map(
            schedule ->
                " schedule "
                    + schedule.name()
                    + ": "
                    + text(spent(schedule))
                    + schedule.monthlyUsd().stream()
                        .mapToObj(usd -> " of " + UsdFormat.format(usd))
                        .collect(Collectors.joining())
                    + " spent in "
                    + MONTH.format(cost.month(now()))
                    + ", next start "
                    + START.format(starts(schedule).get(0)))
        .stream()
        .toList();
  }

  /**
   * Returns the schedule that started a run, for its state as JSON: its monthly budget, the cost of
   * this month and the next start.
   */
  public Optional<RunSchedule> documentFor(String run) {
    return ofRun(run)
        .map(
            schedule ->
                new RunSchedule(
                    schedule.name(),
                    schedule.monthlyUsd(),
                    costOfMonth(schedule),
                    starts(schedule).get(0).toOffsetDateTime().toString()));
  }

  private Optional<Schedule> ofRun(String run) {
    return store.all().stream()
        .filter(schedule -> log.lines(schedule).stream().anyMatch(line -> line.started(run)))
        .findFirst();
  }

  private MonthlyCost.Spent spent(Schedule schedule) {
    return cost.spent(log.lines(schedule), cost.month(now()));
  }

  private RunSchedule.MonthDocument costOfMonth(Schedule schedule) {
    MonthlyCost.Spent spent = spent(schedule);
    return new RunSchedule.MonthDocument(
        cost.month(now()).toString(), spent.usd(), spent.unknown());
  }

  /** Returns a schedule with its next starts and the cost of this month. */
  ScheduleDocument document(Schedule schedule) {
    return new ScheduleDocument(
        schedule,
        starts(schedule).stream().map(start -> start.toOffsetDateTime().toString()).toList(),
        MonthlyCost.zone(cliEnvironment).getId(),
        costOfMonth(schedule));
  }

  /** Returns the next starts with their time zone. */
  List<String> nextStarts(Schedule schedule) {
    return starts(schedule).stream().map(START::format).toList();
  }

  private List<ZonedDateTime> starts(Schedule schedule) {
    return schedule.cron().next(zoned(now()), SHOWN_STARTS);
  }

  private ZonedDateTime zoned(Instant moment) {
    return moment.atZone(MonthlyCost.zone(cliEnvironment));
  }

  private Instant now() {
    return cliEnvironment.clock().instant();
  }
}
