package io.elastune.cli.command;

import io.elastune.cli.runs.StatusWatch;
import io.elastune.cli.world.World;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how a run stands. */
@Command(
    name = "status",
    header = "Show how a run stands: trials, instances, money, time to spare.",
    description = "Reads the run's journal; the run itself is not disturbed.",
    footer = {"", "Example:", "  elastune status my-job-20261120-a1b2 --watch"})
public final class StatusCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private RunArgument run = new RunArgument();

  @Option(
      names = {"-w", "--watch"},
      description = "Show every change until the run is over.")
  private boolean watch;

  public StatusCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    StatusWatch status = new StatusWatch(world, common.output(world));
    return (watch ? status.follow(run.given()) : status.once(run.given())).code();
  }
}
