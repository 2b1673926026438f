package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;

/** Implements {@code elastune report}: shows the results of a run. */
public final class ShowReport {
  private final CliEnvironment cliEnvironment;
  private final Output output;

  public ShowReport(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /** Shows the report; for a run that has not finished, the results so far. */
  public ExitCode show(String run) {
    RunStatus status =
        new StatusReader(cliEnvironment).read(new RunFinder(cliEnvironment).findOrNewest(run));
    RunRecord record = status.requireRecord();
    new ReportScreen(status, record).lines().forEach(output.text()::println);
    output.jsonDocument(() -> ReportDocument.of(status, record));
    return ExitCode.DONE;
  }
}
