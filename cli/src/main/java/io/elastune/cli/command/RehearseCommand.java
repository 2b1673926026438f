package io.elastune.cli.command;

import io.elastune.cli.action.Rehearsing;
import io.elastune.cli.action.Rehearsing.Trouble;
import io.elastune.cli.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
public final class RehearseCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private OverrideOptions overrides = new OverrideOptions();

  @Parameters(index = "0", paramLabel = "job.yaml", description = "The job file.")
  private String job = "";

  @Option(
      names = "--seeds",
      order = 1,
      paramLabel = "N",
      converter = PositiveNumber.class,
      description = "The number of runs, each with its own seed. Default: ${DEFAULT-VALUE}.")
  private Integer seeds = 1000;

  @Option(
      names = "--faults",
      order = 2,
      paramLabel = "WHICH",
      converter = TroubleWord.class,
      completionCandidates = TroubleNames.class,
      description = "The rate of injected faults: none, normal or heavy. Default: normal.")
  private Trouble faults = Trouble.NORMAL;

  @Option(
      names = "--slower",
      order = 3,
      paramLabel = "X",
      converter = Slowness.class,
      description =
          "Trials take X times as long as profiled, which the plan does not include. Default:"
              + " ${DEFAULT-VALUE}.")
  private Double slower = 1.0;

  @Option(
      names = "--replan",
      order = 4,
      description =
          "Re-plan during a run to meet the deadline or to reduce its cost, as 'run' does.")
  private boolean replan;

  public RehearseCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    return new Rehearsing(world, common.output(world))
        .rehearse(new Rehearsing.Request(job, overrides.in(world), seeds, faults, slower, replan))
        .code();
  }

  /** Converts an option value to a number above 0. */
  static final class Slowness implements ITypeConverter<Double> {
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

  static final class TroubleWord extends Words<Trouble> {
    TroubleWord() {
      super(List.of(Trouble.values()), Trouble::word);
    }
  }

  static final class TroubleNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    TroubleNames() {
      super(List.of(Trouble.NONE.word(), Trouble.NORMAL.word(), Trouble.HEAVY.word()));
    }
  }
}
