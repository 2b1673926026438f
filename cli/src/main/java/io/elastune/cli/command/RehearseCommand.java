package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.FaultLevel;
import io.elastune.cli.service.RehearsalService;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Executes a job many times in the simulated environment. */
@Command(
    name = "rehearse",
    header = "Execute the whole job many times in the simulated environment, with faults.",
    description = {
      "Plans as 'plan' does, then executes the plan repeatedly in virtual time, with the same"
          + " offers and profile. Checks the guarantees of a run: no instance leaked, no trial"
          + " lost, budget not exceeded. Needs a profile. Starts nothing and costs nothing.",
      "Here, --seed is the seed of the first run; the plan uses the job's own seed. To repeat one"
          + " run exactly, use --seeds 1 --seed N."
    },
    footer = {"", "Example:", "  elastune rehearse job.yaml --seeds 20000 --faults heavy"})
public final class RehearseCommand extends Subcommand {
  @Mixin private OverrideOptions overrides = new OverrideOptions();
  @Mixin private CurvesOption curves = new CurvesOption();

  @Parameters(index = "0", paramLabel = "job.yaml", description = "The job file.")
  private String job = "";

  @Option(
      names = "--seeds",
      order = 1,
      paramLabel = "N",
      converter = PositiveIntConverter.class,
      description = "The number of runs, each with its own seed. Default: ${DEFAULT-VALUE}.")
  private Integer seeds = 1000;

  @Option(
      names = "--faults",
      order = 2,
      paramLabel = "WHICH",
      converter = FaultLevelConverter.class,
      completionCandidates = FaultLevelConverter.class,
      description = "The rate of injected faults: none, normal or heavy. Default: normal.")
  private FaultLevel faults = FaultLevel.NORMAL;

  @Option(
      names = "--slower",
      order = 3,
      paramLabel = "X",
      converter = PositiveDoubleConverter.class,
      description =
          "Simulate trials that take X times as long as profiled; the plan uses the profiled times."
              + " Default: ${DEFAULT-VALUE}.")
  private Double slower = 1.0;

  @Option(
      names = "--replan",
      order = 4,
      description =
          "Re-plan during a run to meet the deadline or to reduce its cost, as 'run' does.")
  private boolean replan;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new RehearsalService(cliEnvironment, output)
        .rehearse(
            new RehearsalService.Request(
                job,
                overrides.toOverrides(cliEnvironment),
                seeds,
                faults,
                slower,
                replan,
                curves.file()))
        .code();
  }

  /** Converts an option value to a number above 0. */
  static final class PositiveDoubleConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        double number = Double.parseDouble(text);
        if (number > 0 && Double.isFinite(number)) {
          return number;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      throw new TypeConversionException("must be a number above 0, e.g. 2, not '" + text + "'");
    }
  }

  static final class FaultLevelConverter extends WordConverter<FaultLevel> {
    FaultLevelConverter() {
      super(List.of(FaultLevel.values()));
    }
  }
}
