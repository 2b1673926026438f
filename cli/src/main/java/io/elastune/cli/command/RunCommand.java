package io.elastune.cli.command;

import io.elastune.cli.run.RunSession;
import io.elastune.cli.world.World;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plans a job, asks for confirmation, and executes it. */
@Command(
    name = "run",
    header = "Plan a job, ask for confirmation, and execute it.",
    description = "Profiles the training program first if there is no profile of it.",
    footer = {
      "",
      "Example:",
      "  elastune run job.yaml --deadline 2h",
      "  elastune plan job.yaml -o plan.json && elastune run plan.json"
    })
public final class RunCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private OverrideOptions overrides = new OverrideOptions();

  @Parameters(paramLabel = "job.yaml|plan.json", description = "The job file, or a saved plan.")
  private String file = "";

  @Option(
      names = {"-y", "--yes"},
      order = 1,
      description = "Start without confirmation.")
  private boolean yes;

  public RunCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    return new RunSession(world, common.output(world), yes).run(file, overrides.in(world)).code();
  }
}
