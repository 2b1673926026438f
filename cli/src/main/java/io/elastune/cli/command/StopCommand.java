package io.elastune.cli.command;

import io.elastune.cli.runs.StopRun;
import io.elastune.cli.world.World;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stops a run. */
@Command(
    name = "stop",
    header = "Stop a run: its trials write checkpoints, its instances are released.",
    description = {
      "Waits until the run is over. Exits with 0 once nothing is left of it, whether it was",
      "stopped, had ended or had crashed; with 20 if instances may be left."
    },
    footer = {"", "Example:", "  elastune stop my-job-20261120-a1b2"})
public final class StopCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      paramLabel = "RUN",
      description = "The run's name, or its beginning if no other begins so.")
  private String run = "";

  @Option(names = "--no-wait", description = "Only ask; do not wait until it is over.")
  private boolean noWait;

  public StopCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    return new StopRun(world, common.output(world)).stop(run, !noWait).code();
  }
}
