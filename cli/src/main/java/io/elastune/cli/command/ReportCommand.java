package io.elastune.cli.command;

import io.elastune.cli.runs.ShowReport;
import io.elastune.cli.world.World;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what came of a run. */
@Command(
    name = "report",
    header = "Show what came of a run: the best configuration, estimate against actual.",
    description = "A run that has not finished shows how far it has come.",
    footer = {"", "Example:", "  elastune report my-job-20261120-a1b2"})
public final class ReportCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private RunArgument run = new RunArgument();

  public ReportCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    return new ShowReport(world, common.output(world)).show(run.given()).code();
  }
}
