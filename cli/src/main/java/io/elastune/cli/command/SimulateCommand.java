package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.service.SimulationService;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Predicts a given plan. */
@Command(
    name = "simulate",
    header = "Predict time and cost of a given plan.",
    description = "Needs a profile. Starts nothing and costs nothing.",
    footer = {
      "",
      "Example:",
      "  elastune simulate job.yaml plan.json --samples 100000",
      "  elastune simulate job.yaml plan.json --dot dag.dot && dot -Tsvg dag.dot -o dag.svg"
    })
public final class SimulateCommand implements Callable<Integer> {
  private final CliEnvironment cliEnvironment;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private OverrideOptions overrides = new OverrideOptions();

  @Parameters(index = "0", paramLabel = "job.yaml", description = "The job file.")
  private String job = "";

  @Parameters(index = "1", paramLabel = "plan.json", description = "The plan file.")
  private String plan = "";

  @Option(
      names = "--samples",
      order = 1,
      paramLabel = "N",
      converter = PositiveIntConverter.class,
      description =
          "The maximum number of samples. Default: ${DEFAULT-VALUE}. Sampling stops earlier once"
              + " the error of all figures is below 0.05%%.")
  private Integer samples = 10_000;

  @Option(
      names = "--dot",
      order = 2,
      paramLabel = "FILE",
      description =
          "Save the execution graph, with every duration at its mean, in Graphviz format; '-' is"
              + " standard output.")
  private Optional<String> dot = Optional.empty();

  public SimulateCommand(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  @Override
  public Integer call() {
    return new SimulationService(cliEnvironment, common.output(cliEnvironment))
        .simulate(
            new SimulationService.Request(
                job, plan, samples, overrides.toOverrides(cliEnvironment), dot))
        .code();
  }
}
