package io.elastune.cli.page;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.runs.Pause;
import io.elastune.cli.runs.RunRecord;
import io.elastune.cli.runs.RunStatus;
import io.elastune.cli.runs.Runs;
import io.elastune.cli.runs.StatusReader;
import io.elastune.cli.wiring.WholeFiles;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.executor.journal.RunFolder;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Implements {@code elastune report --html}: writes the report as an HTML page once, or repeatedly
 * until the run is over.
 */
public final class PageWriter {
  private static final long INTERVAL_MS = 2000;

  private final World world;
  private final Output output;
  private final String file;

  /** Writes to {@code file}, which is replaced atomically each time. */
  public PageWriter(World world, Output output, String file) {
    this.world = world;
    this.output = output;
    this.file = file;
  }

  /**
   * Writes the page for the present state of the run {@code name}.
   *
   * @throws CommandFailure if the run has not started
   */
  public ExitCode once(String name) {
    write(read(new Runs(world).findOrNewest(name)), false);
    return confirm();
  }

  /** Rewrites the page periodically until the run is over. */
  public ExitCode follow(String name) {
    RunFolder folder = new Runs(world).findOrNewest(name);
    RunStatus status = read(folder);
    boolean live = !status.standing().over();
    write(status, live);
    output
        .people()
        .println(
            "Writing " + file + " until the run is over. Ctrl-C stops the updates, not the run.");
    while (live && Pause.millis(INTERVAL_MS)) {
      status = read(folder);
      live = !status.standing().over();
      write(status, live);
    }
    return confirm();
  }

  private RunStatus read(RunFolder folder) {
    return new StatusReader(world).read(folder);
  }

  private void write(RunStatus status, boolean live) {
    RunRecord run = status.requireRecord();
    WholeFiles.write(world.path(file), ReportPage.of(status, History.of(run), live));
  }

  private ExitCode confirm() {
    output.people().println("Report saved as " + file + ". It opens in any browser, also offline.");
    output.document(() -> JsonNodeFactory.instance.objectNode().put("html", file));
    return ExitCode.DONE;
  }
}
