package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.UsdFormat;

/** Implements {@code elastune report}: shows the results of a run. */
public final class ShowReport {
  private final CliEnvironment cliEnvironment;
  private final Output output;

  public ShowReport(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Saves the trials as CSV.
   *
   * @param file the file, or {@code -} for standard output, which then has nothing else
   */
  public ExitCode saveTrials(String run, String file) {
    RunRecord record =
        new StatusReader(cliEnvironment)
            .read(new RunFinder(cliEnvironment).findOrNewest(run))
            .requireRecord();
    TrialResults results = TrialResults.of(record);
    String csv = TrialsCsv.of(record, results);
    if (file.equals("-")) {
      cliEnvironment.out().print(csv);
      cliEnvironment.out().flush();
      return ExitCode.DONE;
    }
    AtomicFileWriter.write(cliEnvironment.path(file), csv);
    String shown = cliEnvironment.displayFile(file);
    output
        .text()
        .println(
            "%d trials saved as %s; %s of the cost is not allocated to trials."
                .formatted(
                    results.trials().size(), shown, UsdFormat.format(results.unallocatedUsd())));
    output.jsonDocument(() -> new TableDocument(shown));
    return ExitCode.DONE;
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

  /** The document of {@code report --csv FILE --json}. */
  public record TableDocument(@JsonPropertyDescription("The file that was written.") String csv) {}
}
