package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Implements {@code elastune logs}: prints the output of trials, or of the setup of instances. */
public final class ShowLogs {
  private static final long POLL_MS = 300;

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final Optional<Integer> trial;
  private final boolean setup;
  private final boolean raw;

  /**
   * Creates the command.
   *
   * @param trial prints only the output of this trial
   * @param setup prints the output of the setups instead of the trials
   * @param raw prints the output with everything that terminals execute
   * @throws CommandFailure if two of them exclude each other
   */
  public ShowLogs(
      CliEnvironment cliEnvironment,
      Output output,
      Optional<Integer> trial,
      boolean setup,
      boolean raw) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.trial = trial;
    this.setup = setup;
    this.raw = raw;
    if (raw && output.json()) {
      throw CommandFailure.invalid(
          "--raw", "cannot be combined with --json", "JSON has the whole output, escaped");
    }
    if (setup && trial.isPresent()) {
      throw CommandFailure.invalid(
          "--setup", "cannot be combined with --trial", "a setup belongs to an instance");
    }
  }

  /** Prints the existing output. */
  public ExitCode once(String run) {
    RunFolder folder = new RunFinder(cliEnvironment).findOrNewest(run);
    LogPrinter printer = new LogPrinter(cliEnvironment, output, trial.isEmpty(), raw);
    print(folder, new StatusReader(cliEnvironment).read(folder), printer);
    printer.finish();
    if (printer.isEmpty()) {
      cliEnvironment.err().println(nothing());
      reports(folder).forEach(cliEnvironment.err()::println);
    }
    return ExitCode.DONE;
  }

  /** Prints the existing and all new output until the run is over. */
  public ExitCode follow(String run) {
    RunFolder folder = new RunFinder(cliEnvironment).findOrNewest(run);
    LogPrinter printer = new LogPrinter(cliEnvironment, output, trial.isEmpty(), raw);
    StatusReader reader = new StatusReader(cliEnvironment);
    RunStatus status = reader.read(folder);
    print(folder, status, printer);
    while (!status.standing().isOver()
        && PollDelay.sleepMillis(POLL_MS)
        && !cliEnvironment.out().checkError()) {
      status = reader.read(folder); // Status first: all output before the end must be printed.
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
          .map(leaseRow -> LogSource.setup(leaseRow.lease(), folder.setupLog(leaseRow.lease())))
          .toList();
    }
    int last = run.plannedTrials();
    trial.ifPresent(number -> check(number, last));
    return IntStream.rangeClosed(trial.orElse(1), trial.orElse(last))
        .mapToObj(number -> LogSource.trial(number, folder.trialLog(number)))
        .toList();
  }

  /** Returns the reports of the trials, which are not part of their output. */
  private List<String> reports(RunFolder folder) {
    if (setup || !folder.exists()) {
      return List.of();
    }
    try (RunReader reader = RunReader.open(folder)) {
      String unit = RunMeta.of(reader.meta()).unit();
      return reader.reports().stream()
          .filter(report -> trial.isEmpty() || trial.get() == report.trial())
          .map(
              report ->
                  "trial %d reported %s %d: %s"
                      .formatted(report.trial(), unit, report.unit(), metrics(report.metrics())))
          .toList();
    }
  }

  private static String metrics(Map<String, Double> metrics) {
    return metrics.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(metric -> metric.getKey() + " " + ValueFormat.text(metric.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static void check(int number, int last) {
    if (number < 1 || number > last) {
      throw CommandFailure.invalid("--trial", "there is no trial " + number, "choose 1 to " + last);
    }
  }

  private String nothing() {
    return setup
        ? "No setup has produced output yet."
        : trial
            .map(number -> "Trial " + number + " has produced no output yet.")
            .orElse("No trial has produced output yet.");
  }
}
