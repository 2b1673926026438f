package io.elastune.cli.runs;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;

/** Shows what came of a run. */
public final class ShowReport {
  private final World world;
  private final Output output;

  public ShowReport(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /** Shows it; a run that has not finished shows how far it is. */
  public ExitCode show(String run) {
    RunStatus status = new StatusReader(world).read(new Runs(world).findOrNewest(run));
    RunRecord record = begun(status);
    new ReportScreen(status, record).lines().forEach(output.people()::println);
    output.document(() -> ReportDocument.of(status, record));
    return ExitCode.DONE;
  }

  /**
   * What the journal of a run says.
   *
   * @throws CommandFailure if it has not been begun
   */
  public static RunRecord begun(RunStatus status) {
    return status
        .record()
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    Problem.of(
                        "RUN",
                        status.run() + " has not begun: it is " + status.standing().word(),
                        "see elastune status " + status.run())));
  }
}
