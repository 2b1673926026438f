package io.elastune.cli.command;

import io.elastune.cli.run.ResumeSession;
import io.elastune.cli.world.World;
import io.elastune.core.files.Overrides;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Goes on with a run. */
@Command(
    name = "resume",
    header = "Go on with a run that was stopped or has crashed.",
    description = {
      "Asks the cloud first what is left of the run: that is taken up or released. Trials go on",
      "from their last checkpoints. Money counts over all attempts, and the deadline from the first",
      "start: the time in which nobody had the run counts. Asks before it goes on if prices have",
      "moved by more than 5 %% since the plan was confirmed."
    },
    footer = {"", "Example:", "  elastune resume my-job-20261120-a1b2 --budget 60"})
public final class ResumeCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      paramLabel = "RUN",
      description = "The run's name, or its beginning if no other begins so.")
  private String run = "";

  @Option(
      names = {"-y", "--yes"},
      order = 1,
      description = "Go on without being asked.")
  private boolean yes;

  @Option(
      names = "--deadline",
      order = 50,
      paramLabel = "WHEN",
      description = "Another deadline: 3h from the run's first start, or a date-time.")
  private Optional<String> deadline = Optional.empty();

  @Option(
      names = "--budget",
      order = 51,
      paramLabel = "USD",
      description = "Another budget for the whole run, what is spent included, in US dollars.")
  private Optional<String> budget = Optional.empty();

  public ResumeCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    Overrides limits =
        new Overrides(
            deadline,
            budget,
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty());
    return new ResumeSession(world, common.output(world), yes).resume(run, limits).code();
  }
}
