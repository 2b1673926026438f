package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.input.TextFileReader;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.node.JsonNodeFactory;

/** Implements {@code elastune schedule add} and {@code rm}. */
public final class ScheduleService {
  private static final String SYSTEMD = "systemd";
  private static final String CRONTAB = "crontab";

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final ScheduleStore store;
  private final ScheduleReport report;

  public ScheduleService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.store = new ScheduleStore(cliEnvironment);
    this.report = new ScheduleReport(cliEnvironment, output);
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
            job.name(),
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
    report.nextStarts(schedule).forEach(start -> output.text().println(" next start  " + start));
    output.jsonDocument(() -> report.document(schedule));
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

  /** Returns a schedule. */
  public Schedule get(String name) {
    return store.get(name);
  }
}
