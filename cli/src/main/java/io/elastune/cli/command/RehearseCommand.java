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

/** Carries a job out many times in the simulated world. */
@Command(
    name = "rehearse",
    header = "Carry the whole job out many times in a simulated world, with faults.",
    description = {
      "Plans as 'plan' does, then runs the plan again and again in virtual time, with the same"
          + " offers and profile, and checks what a run promises: nothing leaked, no trial lost, no"
          + " budget crossed. Needs a profile. Starts and spends nothing.",
      "--seed is the seed of the first run here; the plan keeps the job's own. So one run can be"
          + " played again exactly: --seeds 1 --seed N."
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
      description = "How many runs, each with a seed of its own; default ${DEFAULT-VALUE}.")
  private Integer seeds = 1000;

  @Option(
      names = "--faults",
      order = 2,
      paramLabel = "WHICH",
      converter = TroubleWord.class,
      completionCandidates = TroubleNames.class,
      description = "What goes wrong: none, normal or heavy; default normal.")
  private Trouble faults = Trouble.NORMAL;

  @Option(
      names = "--slower",
      order = 3,
      paramLabel = "X",
      converter = Slowness.class,
      description =
          "Trials take X times as long as profiled, which the plan does not know; default"
              + " ${DEFAULT-VALUE}.")
  private Double slower = 1.0;

  @Option(
      names = "--replan",
      order = 4,
      description =
          "Runs are planned anew where that keeps a deadline or saves money, as 'run' does it.")
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

  /** A number above 0. */
  static final class Slowness implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        double number = Double.parseDouble(text);
        if (number > 0 && Double.isFinite(number)) {
          return number;
        }
      } catch (NumberFormatException e) {
        // said below
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
