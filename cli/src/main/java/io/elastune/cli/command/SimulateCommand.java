package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.SimulationService;
import io.elastune.plan.PlanPrediction;
import io.elastune.plan.TrialOrder;
import io.elastune.simulator.rank.RankModel;
import java.util.Optional;
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
      "  elastune simulate job.yaml plan.json --dot dag.dot && dot -Tsvg dag.dot -o dag.svg",
      "  elastune simulate job.yaml plan.json --ranks first-best --trace"
    })
public final class SimulateCommand extends Subcommand {
  @Mixin private OverrideOptions overrides = new OverrideOptions();
  @Mixin private CurvesOption curves = new CurvesOption();

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
  private Integer samples = PlanPrediction.SAMPLES;

  @Option(
      names = "--dot",
      order = 2,
      paramLabel = "FILE",
      description =
          "Save the execution graph in Graphviz format, with every duration at its mean, or the"
              + " first sample of an asynchronous search; '-' is standard output.")
  private Optional<String> dot = Optional.empty();

  @Option(
      names = "--ranks",
      order = 3,
      paramLabel = "HOW",
      converter = RankOrderConverter.class,
      completionCandidates = RankOrderConverter.class,
      description =
          "The order of trials by metric, which is unknown before a run: sampled, first-best or"
              + " last-best. Default: sampled.")
  private RankModel.Order ranks = RankModel.Order.SAMPLED;

  @Option(
      names = "--trace",
      order = 5,
      description = "Show what happens in the first sample, event by event.")
  private boolean trace;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new SimulationService(cliEnvironment, output)
        .simulate(
            new SimulationService.Request(
                job,
                plan,
                samples,
                overrides.toOverrides(cliEnvironment),
                dot,
                new TrialOrder(ranks, curves.file()),
                trace))
        .code();
  }

  static final class RankOrderConverter extends WordConverter<RankModel.Order> {
    RankOrderConverter() {
      super(TrialOrder.RANKS);
    }
  }
}
