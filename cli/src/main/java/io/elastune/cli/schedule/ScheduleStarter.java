package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.RunsOfJob;
import io.elastune.cli.notify.ScheduleNotice;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.Overrides;
import io.elastune.core.files.LockedFile;
import io.elastune.core.job.Job;
import io.elastune.executor.decision.model.RunOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;

/** Implements {@code elastune schedule start}, which the timer calls. */
public final class ScheduleStarter {
  private final CliEnvironment cliEnvironment;
  private final ToIntFunction<List<String>> elastune;
  private final ScheduleStore store;
  private final MonthlyCost cost;
  private final RunCosts costs;
  private final ScheduleLog log;

  /**
   * Creates a starter.
   *
   * @param elastune runs a command line of Elastune and returns its exit code
   */
  public ScheduleStarter(CliEnvironment cliEnvironment, ToIntFunction<List<String>> elastune) {
    this.cliEnvironment = cliEnvironment;
    this.elastune = elastune;
    this.store = new ScheduleStore(cliEnvironment);
    this.cost = new MonthlyCost(cliEnvironment);
    this.costs = new RunCosts(cliEnvironment);
    this.log = new ScheduleLog(cliEnvironment);
  }

  /**
   * Starts a run and waits for its end.
   *
   * @param overrides those of the schedule's options
   * @return the exit code of the run; 3 or 11 if it was skipped
   */
  public int start(Schedule schedule, Overrides overrides) {
    Job job = ScheduledJobFile.read(cliEnvironment, schedule.job(), overrides);
    store.createFolder();
    try {
      Optional<LockedFile> lock = store.tryLock(schedule.name());
      if (lock.isEmpty()) {
        return skip(
            new Start(schedule, job, now(), true),
            ExitCode.NOT_CONFIRMED,
            inProgress(job).orElse("the previous run is in progress"));
      }
      try {
        return start(new Start(schedule, job, now(), false));
      } finally {
        lock.get().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * One start.
   *
   * @param locked whether another process executes the previous one
   */
  private record Start(Schedule schedule, Job job, Instant at, boolean locked) {}

  private Instant now() {
    return cliEnvironment.clock().instant();
  }

  private int start(Start start) {
    Optional<String> other = inProgress(start.job());
    if (other.isPresent()) {
      return skip(start, ExitCode.NOT_CONFIRMED, other.get());
    }
    log.storeKilled(start.schedule(), false);
    Optional<String> refusal = refusal(start);
    return refusal.isPresent()
        ? skip(start, ExitCode.of(RunOutcome.BUDGET_REACHED), refusal.get())
        : run(start);
  }

  private Optional<String> inProgress(Job job) {
    return new RunsOfJob(cliEnvironment, job.name())
        .blocking(Optional.empty())
        .map(status -> "run " + status.run() + " is in progress");
  }

  private MonthlyCost.Spent spent(Start start) {
    return cost.spent(log.lines(start.schedule(), start.locked()), cost.month(start.at()));
  }

  /** Returns why the monthly budget does not allow the next run. */
  private Optional<String> refusal(Start start) {
    Schedule schedule = start.schedule();
    if (schedule.monthlyUsd().isEmpty()) {
      return Optional.empty();
    }
    double limit = schedule.monthlyUsd().getAsDouble();
    OptionalDouble next =
        start.job().budget().stream().mapToDouble(budget -> budget.usd()).findFirst();
    if (next.isEmpty()) {
      return Optional.of(
          "the job has no budget, which the monthly budget needs; add budget to " + schedule.job());
    }
    MonthlyCost.Spent spent = spent(start);
    if (spent.usd().isEmpty()) {
      return Optional.of(
          UnknownCost.text(cliEnvironment, schedule, spent.unknown())
              + "; without it, the monthly budget of "
              + UsdFormat.format(limit)
              + " allows no start");
    }
    return spent.knownUsd() + next.getAsDouble() <= limit
        ? Optional.empty()
        : Optional.of(
            UsdFormat.format(spent.knownUsd())
                + " of the monthly "
                + UsdFormat.format(limit)
                + " are spent, and the budget of the run is "
                + UsdFormat.format(next.getAsDouble()));
  }

  private int skip(Start start, ExitCode exit, String why) {
    Schedule schedule = start.schedule();
    Job job = start.job();
    store.append(schedule.name(), StartRecord.skipped(start.at(), job.name(), exit.code(), why));
    cliEnvironment.err().println("Schedule " + schedule.name() + ": start skipped: " + why + ".");
    ScheduleNotice.send(
        job.notifications(),
        job.trial().secrets(),
        schedule.name(),
        "start skipped: " + why,
        spent(start).knownUsd(),
        start.at(),
        cliEnvironment.err()::println);
    return exit.code();
  }

  private int run(Start start) {
    String job = start.job().name();
    List<String> before = costs.runsOf(job);
    StartRecord started = StartRecord.started(start.at(), job);
    store.append(start.schedule().name(), started);
    List<String> arguments = new ArrayList<>(List.of("run", start.schedule().job(), "-y"));
    arguments.addAll(start.schedule().options());
    int exit = elastune.applyAsInt(arguments);
    List<String> runs = new ArrayList<>(costs.runsOf(job));
    runs.removeAll(before);
    store.append(start.schedule().name(), started.ended(exit, costs.of(runs)));
    return exit;
  }
}
