package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.RunStateLabel;
import io.elastune.cli.inspect.RunStatus;
import io.elastune.cli.inspect.RunsOfJob;
import io.elastune.cli.inspect.StatusScreen;
import io.elastune.cli.text.ResumeCommands;
import io.elastune.executor.journal.JobLock;
import io.elastune.executor.journal.RunFolder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Allows one run of a job at a time. It holds the job's lock until it is closed, so that of two
 * commands that start at once only one continues. A run in progress is found by its own lock.
 */
final class JobGuard implements AutoCloseable {
  private final Optional<JobLock> jobLock;

  private JobGuard(Optional<JobLock> jobLock) {
    this.jobLock = jobLock;
  }

  /**
   * Checks that no other run of {@code job} is in progress, and holds its lock.
   *
   * @param resumed the run that is resumed, whose lock the caller holds
   * @throws CommandFailure with exit code 3 that names the other run
   */
  static JobGuard acquire(
      CliEnvironment cliEnvironment,
      Output output,
      String job,
      Optional<RunFolder> resumed,
      StartOptions options) {
    if (options.parallel()) {
      return none();
    }
    RunsOfJob runs = new RunsOfJob(cliEnvironment, job);
    Optional<JobLock> lock = JobLock.tryAcquire(cliEnvironment.home(), job);
    Optional<RunStatus> other = runs.blocking(resumed);
    if (lock.isEmpty() || other.isPresent()) {
      lock.ifPresent(JobLock::close);
      throw other
          .map(status -> refused(job, status, cliEnvironment.clock().instant()))
          .orElseGet(() -> starting(job, cliEnvironment.home()));
    }
    if (resumed.isEmpty()) {
      runs.latestIfCrashed()
          .ifPresent(
              crashed ->
                  output
                      .text()
                      .println(
                          "The previous run "
                              + crashed.run()
                              + " crashed. This is a new run; to continue that one: elastune"
                              + " resume "
                              + crashed.run()));
    }
    return new JobGuard(lock);
  }

  /** Returns a guard that allows any number of runs. */
  static JobGuard none() {
    return new JobGuard(Optional.empty());
  }

  private static CommandFailure refused(String job, RunStatus other, Instant now) {
    String run = other.run();
    return other.standing() == RunStateLabel.CRASHED
        ? failure(
            "run " + run + " of job " + job + " crashed, and may still have instances",
            "to continue it: "
                + ResumeCommands.resume(run)
                + "; to wait until they are terminated: elastune stop "
                + run
                + "; to start anyway: --parallel")
        : failure(
            "run "
                + run
                + " of job "
                + job
                + " is in progress: "
                + new StatusScreen(other, now).state(),
            "to follow it: elastune attach "
                + run
                + "; to stop it: elastune stop "
                + run
                + "; to start anyway: --parallel");
  }

  private static CommandFailure starting(String job, Path home) {
    String process =
        JobLock.lastHolder(home, job).stream()
            .mapToObj(pid -> "process " + pid)
            .findFirst()
            .orElse("another process");
    return failure(
        process + " is planning a run of job " + job + " or waits for its confirmation",
        "to start anyway: --parallel");
  }

  private static CommandFailure failure(String message, String hint) {
    return CommandFailure.of(ExitCode.NOT_CONFIRMED, "", message, hint);
  }

  @Override
  public void close() {
    jobLock.ifPresent(JobLock::close);
  }
}
