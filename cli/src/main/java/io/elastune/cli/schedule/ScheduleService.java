package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.input.TextFileReader;
import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Implements {@code elastune schedule add}, {@code list}, {@code rm} and {@code log}. */
public final class ScheduleService {
  private static final int SHOWN_STARTS = 3;
  private static final String SYSTEMD = "systemd";
  private static final String CRONTAB = "crontab";

  /** Times with their zone, because a schedule starts in that of the machine. */
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z", Locale.ROOT);

  private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("yyyy-MM");

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final ScheduleStore store;
  private final MonthlyCost cost;

  public ScheduleService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.store = new ScheduleStore(cliEnvironment);
    this.cost = new MonthlyCost(cliEnvironment);
  }

  /**
   * A schedule to add.
   *
   * @param name empty for the name of the job
   * @param timer "systemd" or "crontab"; empty to choose
   * @param overrides those of {@code options}
   */
  public record NewSchedule(
      String file,
      String cron,
      Optional<String> name,
      OptionalDouble monthlyUsd,
      Optional<String> timer,
      List<String> options,
      Overrides overrides) {
    public NewSchedule {
      options = List.copyOf(options);
    }
  }

  /** Adds a schedule and installs its timer. */
  public ExitCode add(NewSchedule added) {
    CronExpression cron = cron(added.cron());
    Job job =
        new TextFileReader(cliEnvironment)
            .read(
                cliEnvironment.path(added.file()),
                (name, text) -> JobFile.parse(name, text, added.overrides()))
            .orThrow()
            .value();
    checkBudget(job, added.monthlyUsd());
    String name = name(added.name().orElse(job.name()));
    if (store.find(name).isPresent()) {
      throw CommandFailure.usage(
          ErrorDetail.of(
              "--name",
              "schedule " + name + " exists already",
              "remove it with 'elastune schedule rm " + name + "', or choose another name"));
    }
    Schedule schedule =
        new Schedule(
            name,
            cliEnvironment.path(added.file()).toString(),
            cron,
            added.monthlyUsd(),
            added.options(),
            added.timer().orElseGet(this::availableTimer));
    store.put(schedule);
    String written;
    try {
      written = timer(schedule.timer()).install(schedule);
    } catch (CommandFailure e) {
      store.remove(name);
      throw e;
    }
    output.text().println("Schedule " + name + " added to " + written);
    starts(schedule).forEach(start -> output.text().println(" next start  " + START.format(start)));
    output.jsonDocument(() -> document(schedule));
    return ExitCode.DONE;
  }

  private static CronExpression cron(String text) {
    try {
      return CronExpression.parse(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(
          ErrorDetail.of("--cron", e.getMessage() + ": '" + text + "'", "e.g. '0 2 * * *'"));
    }
  }

  private static void checkBudget(Job job, OptionalDouble monthlyUsd) {
    if (monthlyUsd.isEmpty()) {
      return;
    }
    double limit = monthlyUsd.getAsDouble();
    if (!(limit > 0) || Double.isInfinite(limit)) {
      throw CommandFailure.usage(
          ErrorDetail.of("--monthly-usd", "must be positive, is " + limit, ""));
    }
    if (job.budget().isEmpty()) {
      throw CommandFailure.usage(
          ErrorDetail.of(
              "--monthly-usd",
              "needs a budget of each run, and the job has none",
              "add budget to the job file, or append -- --budget USD"));
    }
    double budget = job.budget().get().usd();
    if (budget > limit) {
      throw CommandFailure.usage(
          ErrorDetail.of(
              "--monthly-usd",
              UsdFormat.format(limit)
                  + " is less than the budget of one run, "
                  + UsdFormat.format(budget),
              "raise it, or lower the budget of the job"));
    }
  }

  private static String name(String given) {
    if (!given.matches("[a-z0-9][a-z0-9-]{0,62}")) {
      throw CommandFailure.usage(
          ErrorDetail.of(
              "--name", "must be lower-case letters, digits and '-', is '" + given + "'", ""));
    }
    return given;
  }

  private String availableTimer() {
    return new SystemdTimer(cliEnvironment).isAvailable() ? SYSTEMD : CRONTAB;
  }

  private ScheduleTimer timer(String name) {
    return name.equals(SYSTEMD)
        ? new SystemdTimer(cliEnvironment)
        : new CrontabTimer(cliEnvironment);
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

  /** Removes the timer and the schedule. A run in progress continues. */
  public ExitCode remove(String name) {
    Schedule schedule = store.get(name);
    timer(schedule.timer()).remove(name);
    store.remove(name);
    output.text().println("Schedule " + name + " removed. A run in progress continues.");
    output.jsonDocument(
        () -> JsonNodeFactory.instance.objectNode().put("removed", schedule.name()));
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

  /** Returns a schedule. */
  public Schedule get(String name) {
    return store.get(name);
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

  /** Returns the name of the job; that of the schedule if the job file cannot be read now. */
  private String jobName(Schedule schedule) {
    return new TextFileReader(cliEnvironment)
        .read(
            cliEnvironment.path(schedule.job()),
            (name, text) -> JobFile.parse(name, text, Overrides.NONE))
        .match(file -> file.value().name(), problems -> schedule.name());
  }

  private ObjectNode document(Schedule schedule) {
    ObjectNode document = schedule.json();
    ArrayNode next = document.putArray("next_starts");
    starts(schedule).forEach(start -> next.add(start.toOffsetDateTime().toString()));
    document.put("time_zone", MonthlyCost.zone(cliEnvironment).getId());
    document.put("month", cost.month(now()).toString());
    return document.put("spent_usd", spentUsd(schedule));
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
