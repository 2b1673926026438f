package io.elastune.cli.html;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.PollDelay;
import io.elastune.cli.inspect.RunFinder;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.RunStatus;
import io.elastune.cli.inspect.StatusReader;
import io.elastune.executor.journal.RunFolder;

/**
 * Implements {@code elastune report --html}: writes the report as an HTML page once, or repeatedly
 * until the run is over.
 */
public final class ReportPageWriter {
  private static final long INTERVAL_MS = 2000;

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final HtmlFile file;

  /** Writes to {@code file}, which is replaced atomically each time. */
  public ReportPageWriter(CliEnvironment cliEnvironment, Output output, HtmlFile file) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.file = file;
  }

  /**
   * Writes the page for the present state of the run {@code name}.
   *
   * @throws CommandFailure if the run has not started
   */
  public ExitCode once(String name) {
    write(read(new RunFinder(cliEnvironment).findOrNewest(name)), false);
    return confirm();
  }

  /** Rewrites the page periodically until the run is over. */
  public ExitCode follow(String name) {
    RunFolder folder = new RunFinder(cliEnvironment).findOrNewest(name);
    RunStatus status = read(folder);
    boolean live = !status.standing().isOver();
    write(status, live);
    output
        .text()
        .println(
            "Writing "
                + cliEnvironment.displayFile(file.name())
                + " until the run is over. Ctrl-C stops the updates, not the run.");
    while (live && PollDelay.sleepMillis(INTERVAL_MS)) {
      status = read(folder);
      live = !status.standing().isOver();
      write(status, live);
    }
    return confirm();
  }

  private RunStatus read(RunFolder folder) {
    return new StatusReader(cliEnvironment).read(folder);
  }

  private void write(RunStatus status, boolean live) {
    RunRecord run = status.requireRecord();
    RunHistory history = RunHistory.of(run);
    AtomicFileWriter.write(
        cliEnvironment.path(file.name()),
        file.fragment()
            ? ReportPage.fragment(status, history)
            : ReportPage.page(status, history, live));
  }

  private ExitCode confirm() {
    String shown = cliEnvironment.displayFile(file.name());
    output
        .text()
        .println(
            "Report saved as "
                + shown
                + (file.fragment()
                    ? ", for other pages."
                    : ". It opens in any browser, also offline."));
    output.jsonDocument(() -> new PageDocument(shown));
    return ExitCode.DONE;
  }

  /** The document of {@code report --html FILE --json}. */
  public record PageDocument(@JsonPropertyDescription("The file that was written.") String html) {}
}
