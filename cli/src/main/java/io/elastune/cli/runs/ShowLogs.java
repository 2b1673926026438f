package io.elastune.cli.runs;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.executor.journal.RunFolder;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Prints what trials, or the setups of instances, have written. */
public final class ShowLogs {
  private static final long LOOK_MS = 300;

  private final World world;
  private final Output output;
  private final Optional<Integer> trial;
  private final boolean setup;

  /**
   * Prepares to print.
   *
   * @param trial this trial's output only
   * @param setup the setups' output in place of the trials'
   * @throws CommandFailure if both are asked for
   */
  public ShowLogs(World world, Output output, Optional<Integer> trial, boolean setup) {
    this.world = world;
    this.output = output;
    this.trial = trial;
    this.setup = setup;
    if (setup && trial.isPresent()) {
      throw CommandFailure.usage(
          Problem.of("--setup", "cannot be given with --trial", "a setup is an instance's"));
    }
  }

  /** Prints what there is. */
  public ExitCode once(String run) {
    RunFolder folder = new Runs(world).findOrNewest(run);
    LogPrinter printer = new LogPrinter(world, output, trial.isEmpty());
    print(folder, new StatusReader(world).read(folder), printer);
    printer.finish();
    if (printer.silent()) {
      world.err().println(nothing());
    }
    return ExitCode.DONE;
  }

  /** Prints what there is and what comes, until the run is over. */
  public ExitCode follow(String run) {
    RunFolder folder = new Runs(world).findOrNewest(run);
    LogPrinter printer = new LogPrinter(world, output, trial.isEmpty());
    StatusReader reader = new StatusReader(world);
    RunStatus status = reader.read(folder);
    print(folder, status, printer);
    while (!status.standing().over() && Pause.millis(LOOK_MS) && !world.out().checkError()) {
      status = reader.read(folder); // First: what was written before the end must be printed.
      print(folder, status, printer);
    }
    printer.finish();
    return ExitCode.DONE;
  }

  private void print(RunFolder folder, RunStatus status, LogPrinter printer) {
    status.record().ifPresent(run -> sources(folder, run).forEach(printer::print));
  }

  private List<LogSource> sources(RunFolder folder, RunRecord run) {
    if (setup) {
      return run.leases().stream()
          .map(lease -> LogSource.setup(lease.lease(), folder.setupLog(lease.lease())))
          .toList();
    }
    int last = run.plannedTrials();
    trial.ifPresent(number -> check(number, last));
    return IntStream.rangeClosed(trial.orElse(1), trial.orElse(last))
        .mapToObj(number -> LogSource.trial(number, folder.trialLog(number)))
        .toList();
  }

  private static void check(int number, int last) {
    if (number < 1 || number > last) {
      throw CommandFailure.usage(
          Problem.of("--trial", "there is no trial " + number, "they are 1 to " + last));
    }
  }

  private String nothing() {
    return setup
        ? "No setup has written anything."
        : trial
            .map(number -> "Trial " + number + " has not written anything.")
            .orElse("No trial has written anything.");
  }
}
