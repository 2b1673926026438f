package io.elastune.cli.runs;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;

/** Implements {@code elastune report}: shows the results of a run. */
public final class ShowReport {
  private final World world;
  private final Output output;

  public ShowReport(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /** Shows the report; for a run that has not finished, the results so far. */
  public ExitCode show(String run) {
    RunStatus status = new StatusReader(world).read(new Runs(world).findOrNewest(run));
    RunRecord record = status.requireRecord();
    new ReportScreen(status, record).lines().forEach(output.people()::println);
    output.document(() -> ReportDocument.of(status, record));
    return ExitCode.DONE;
  }
}
