package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.input.TextFileReader;
import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

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

  public ScheduleReport(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.store = new ScheduleStore(cliEnvironment);
    this.cost = new MonthlyCost(cliEnvironment);
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
            UsdFormat.format(spentUsd(schedule)),
            schedule.monthlyUsd().stream()
                .mapToObj(UsdFormat::format)
                .collect(Collectors.joining()),
            schedule.job());
      }
      table.lines().forEach(output.text()::println);
    }
    output.jsonDocument(
        () -> {
          ArrayNode document = JsonNodeFactory.instance.arrayNode();
          schedules.forEach(schedule -> document.add(document(schedule)));
          return document;
        });
    return ExitCode.DONE;
  }

  /** Shows all starts of a schedule, the oldest first. */
  public ExitCode log(String name) {
    List<StartRecord> starts = store.log(store.get(name).name());
    for (StartRecord start : starts) {
      String what =
          switch (start.state()) {
            case STARTED -> "started";
            case ENDED ->
                "ended with exit code "
                    + start.exit()
                    + ", "
                    + UsdFormat.format(start.usd())
                    + (start.runs().isEmpty() ? "" : ": " + String.join(", ", start.runs()));
            case SKIPPED -> "skipped: " + start.text();
          };
      output.text().println(START.format(zoned(start.at())) + "  " + what);
    }
    if (starts.isEmpty()) {
      output.text().println("Schedule " + name + " has not started yet.");
    }
    output.jsonDocument(
        () -> {
          ArrayNode document = JsonNodeFactory.instance.arrayNode();
          starts.forEach(start -> document.add(start.json()));
          return document;
        });
    return ExitCode.DONE;
  }

  /** Returns lines for the state of a run: the schedule that started it, and its monthly budget. */
  public List<String> linesFor(String run) {
    return store.all().stream()
        .filter(
            schedule ->
                store.log(schedule.name()).stream().anyMatch(start -> start.runs().contains(run))
                    || isCurrent(schedule, run))
        .map(
            schedule ->
                " schedule "
                    + schedule.name()
                    + ": "
                    + UsdFormat.format(spentUsd(schedule))
                    + schedule.monthlyUsd().stream()
                        .mapToObj(usd -> " of " + UsdFormat.format(usd))
                        .collect(Collectors.joining())
                    + " spent in "
                    + MONTH.format(cost.month(now()))
                    + ", next start "
                    + START.format(starts(schedule).get(0)))
        .toList();
  }

  /** Returns whether the run is the one in progress, which the log does not name yet. */
  private boolean isCurrent(Schedule schedule, String run) {
    List<StartRecord> log = store.log(schedule.name());
    return log.stream()
        .filter(start -> start.state() != StartRecord.State.SKIPPED)
        .reduce((first, second) -> second)
        .filter(start -> start.state() == StartRecord.State.STARTED)
        .filter(start -> cost.began(jobName(schedule), start.at(), Instant.MAX).contains(run))
        .isPresent();
  }

  private double spentUsd(Schedule schedule) {
    return cost.usd(schedule.name(), jobName(schedule), cost.month(now()));
  }

  /**
   * Returns the name of the job; that when the schedule was added if the job file cannot be read
   * now.
   */
  private String jobName(Schedule schedule) {
    return new TextFileReader(cliEnvironment)
        .read(
            cliEnvironment.path(schedule.job()),
            (name, text) -> JobFile.parse(name, text, Overrides.NONE))
        .match(file -> file.value().name(), problems -> schedule.jobName());
  }

  /** Returns a schedule with its next starts and the cost of this month. */
  ObjectNode document(Schedule schedule) {
    ObjectNode document = schedule.json();
    ArrayNode next = document.putArray("next_starts");
    starts(schedule).forEach(start -> next.add(start.toOffsetDateTime().toString()));
    document.put("time_zone", MonthlyCost.zone(cliEnvironment).getId());
    document.put("month", cost.month(now()).toString());
    return document.put("spent_usd", spentUsd(schedule));
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
