package io.elastune.cli.command;

import io.elastune.cli.runs.StatusWatch;
import io.elastune.cli.world.World;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the state of a run. */
@Command(
    name = "status",
    header = "Show the state of a run: trials, instances, cost, deadline margin.",
    description = "Reads only the run's journal and does not affect the run.",
    footer = {"", "Example:", "  elastune status my-job-20261120-a1b2 --watch"})
public final class StatusCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private RunArgument run = new RunArgument();

  @Option(
      names = {"-w", "--watch"},
      description = "Show every change until the run ends.")
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
