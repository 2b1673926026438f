package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.input.TextFileReader;
import io.elastune.cli.inspect.RunStatus;
import io.elastune.cli.inspect.RunsOfJob;
import io.elastune.cli.notify.ScheduleNotice;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Implements {@code elastune schedule start}, which the timer calls. */
public final class ScheduleStarter {
  private final CliEnvironment cliEnvironment;
  private final ToIntFunction<List<String>> elastune;
  private final ScheduleStore store;
  private final MonthlyCost cost;

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
  }

  /**
   * Starts a run and waits for its end.
   *
   * @param overrides those of the schedule's options
   * @return the exit code of the run; 3 or 11 if it was skipped
   */
  public int start(Schedule schedule, Overrides overrides) {
    Instant now = cliEnvironment.clock().instant();
    Job job = job(schedule, overrides);
    store.createFolder();
    try (FileChannel file =
            FileChannel.open(
                store.lock(schedule.name()), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(file)) {
      Optional<RunStatus> other =
          new RunsOfJob(cliEnvironment, job.name()).blocking(Optional.empty());
      if (lock == null || other.isPresent()) {
        String run = other.map(status -> "run " + status.run()).orElse("the previous run");
        return skip(schedule, job, now, ExitCode.NOT_CONFIRMED, run + " is in progress");
      }
      Optional<String> tooExpensive = tooExpensive(schedule, job, now);
      if (tooExpensive.isPresent()) {
        return skip(schedule, job, now, ExitCode.BUDGET_REACHED, tooExpensive.get());
      }
      return run(schedule, job, now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Job job(Schedule schedule, Overrides overrides) {
    return new TextFileReader(cliEnvironment)
        .read(
            cliEnvironment.path(schedule.job()),
            (name, text) -> JobFile.parse(name, text, overrides))
        .orThrow()
        .value();
  }

  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // Held by this process.
    }
  }

  /** Returns why the next run does not fit in the monthly budget. */
  private Optional<String> tooExpensive(Schedule schedule, Job job, Instant now) {
    if (schedule.monthlyUsd().isEmpty()) {
      return Optional.empty();
    }
    double limit = schedule.monthlyUsd().getAsDouble();
    double spent = cost.usd(schedule.name(), job.name(), cost.month(now));
    OptionalDouble next = job.budget().stream().mapToDouble(budget -> budget.usd()).findFirst();
    if (next.isEmpty()) {
      return Optional.of(
          "the job has no budget, which the monthly budget needs; add budget to " + schedule.job());
    }
    return spent + next.getAsDouble() <= limit
        ? Optional.empty()
        : Optional.of(
            UsdFormat.format(spent)
                + " of the monthly "
                + UsdFormat.format(limit)
                + " are spent, and the budget of the run is "
                + UsdFormat.format(next.getAsDouble()));
  }

  private int skip(Schedule schedule, Job job, Instant now, ExitCode exit, String why) {
    store.append(
        schedule.name(),
        new StartRecord(now, StartRecord.State.SKIPPED, exit.code(), why, List.of(), 0));
    cliEnvironment.err().println("Schedule " + schedule.name() + ": start skipped: " + why + ".");
    ScheduleNotice.send(
        job.notifications(),
        job.trial().secrets(),
        schedule.name(),
        "start skipped: " + why,
        cost.usd(schedule.name(), job.name(), cost.month(now)),
        now,
        cliEnvironment.err()::println);
    return exit.code();
  }

  private int run(Schedule schedule, Job job, Instant now) {
    List<String> before = cost.runsOf(job.name());
    store.append(
        schedule.name(), new StartRecord(now, StartRecord.State.STARTED, 0, "", List.of(), 0));
    List<String> arguments = new ArrayList<>(List.of("run", schedule.job(), "-y"));
    arguments.addAll(schedule.options());
    int exit = elastune.applyAsInt(arguments);
    List<String> runs = new ArrayList<>(cost.runsOf(job.name()));
    runs.removeAll(before);
    store.append(
        schedule.name(),
        new StartRecord(now, StartRecord.State.ENDED, exit, "", runs, cost.usd(runs)));
    return exit;
  }
}
