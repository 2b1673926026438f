package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.RemovedDocument;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.Overrides;
import io.elastune.core.files.LockedFile;
import io.elastune.core.job.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

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
    Job job = ScheduledJobFile.read(cliEnvironment, added.file(), added.overrides());
    checkBudget(job, added.monthlyUsd());
    String name = name(added.name().orElse(job.name()));
    try (LockedFile lock = store.lockChanges()) {
      return add(
          lock,
          new Schedule(
              name,
              cliEnvironment.path(added.file()).toString(),
              job.name(),
              cron,
              added.monthlyUsd(),
              added.options(),
              added.timer().orElseGet(this::availableTimer)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ExitCode add(LockedFile lock, Schedule schedule) {
    lock.requireHeld();
    String name = schedule.name();
    if (store.find(name).isPresent()) {
      throw CommandFailure.invalid(
          "--name",
          "schedule " + name + " exists already",
          "remove it with 'elastune schedule rm " + name + "', or choose another name");
    }
    store.put(schedule);
    String written;
    try {
      written = timer(schedule.timer()).install(schedule);
    } catch (CommandFailure | UncheckedIOException e) {
      undo(schedule, e);
      throw e;
    }
    output.text().println("Schedule " + name + " added to " + written);
    report.nextStarts(schedule).forEach(start -> output.text().println(" next start  " + start));
    output.jsonDocument(() -> report.document(schedule));
    return ExitCode.DONE;
  }

  /** Removes a schedule without a timer, which would never start. */
  private void undo(Schedule schedule, RuntimeException cause) {
    store.remove(schedule.name());
    try {
      timer(schedule.timer()).remove(schedule.name());
    } catch (CommandFailure | UncheckedIOException e) {
      cause.addSuppressed(e); // nothing was installed
    }
  }

  private static CronExpression cron(String text) {
    try {
      return CronExpression.parse(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.invalid(
          "--cron", e.getMessage() + ": '" + text + "'", "e.g. '0 2 * * *'");
    }
  }

  private static void checkBudget(Job job, OptionalDouble monthlyUsd) {
    if (monthlyUsd.isEmpty()) {
      return;
    }
    double limit = monthlyUsd.getAsDouble();
    if (!(limit > 0) || Double.isInfinite(limit)) {
      throw CommandFailure.invalid("--monthly-usd", "must be positive, is " + limit, "");
    }
    if (job.budget().isEmpty()) {
      throw CommandFailure.invalid(
          "--monthly-usd",
          "needs a budget of each run, and the job has none",
          "add budget to the job file, or append -- --budget USD");
    }
    double budget = job.budget().get().usd();
    if (budget > limit) {
      throw CommandFailure.invalid(
          "--monthly-usd",
          UsdFormat.format(limit)
              + " is less than the budget of one run, "
              + UsdFormat.format(budget),
          "raise it, or lower the budget of the job");
    }
  }

  private static String name(String given) {
    if (!given.matches(ScheduleStore.NAME)) {
      throw CommandFailure.invalid(
          "--name", "must be lower-case letters, digits and '-', is '" + given + "'", "");
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
    try (LockedFile lock = store.lockChanges()) {
      lock.requireHeld();
      for (ScheduleTimer timer : timers(name)) {
        timer.remove(name);
      }
      store.remove(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output.text().println("Schedule " + name + " removed. A run in progress continues.");
    output.jsonDocument(() -> new RemovedDocument(name));
    return ExitCode.DONE;
  }

  /** Returns all timers if the file of the schedule cannot be read. */
  private List<ScheduleTimer> timers(String name) {
    store.requireExists(name);
    try {
      return List.of(timer(store.get(name).timer()));
    } catch (CommandFailure e) {
      HostProgram programs = new HostProgram(cliEnvironment);
      return Stream.of(SYSTEMD, CRONTAB)
          .filter(kind -> programs.find(kind.equals(SYSTEMD) ? "systemctl" : kind).isPresent())
          .map(this::timer)
          .toList();
    }
  }

  /**
   * Stores the cost of a run whose journal cannot be read.
   *
   * @throws CommandFailure if the schedule did not start this run
   */
  public ExitCode stateCost(String name, String run, double usd) {
    Schedule schedule = store.get(name);
    if (!(usd >= 0) || Double.isInfinite(usd)) {
      throw CommandFailure.invalid("USD", "must be 0 or more, is " + usd, "");
    }
    ScheduleLog log = new ScheduleLog(cliEnvironment);
    if (log.lines(schedule).stream().noneMatch(line -> line.started(run))) {
      throw CommandFailure.invalid(
          "RUN",
          "schedule " + name + " did not start " + run,
          "elastune schedule log " + name + " shows its runs");
    }
    store.append(name, StartRecord.cost(cliEnvironment.clock().instant(), run, usd));
    output
        .text()
        .println(
            "Run "
                + run
                + " counts with "
                + UsdFormat.format(usd)
                + " in schedule "
                + name
                + " while its journal does not contain its cost.");
    output.jsonDocument(() -> new StatedCost(run, usd));
    return ExitCode.DONE;
  }

  /** Returns a schedule. */
  public Schedule get(String name) {
    return store.get(name);
  }
}
