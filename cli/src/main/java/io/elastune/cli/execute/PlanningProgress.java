package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.ProgressLine;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.PlanFigures;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Plans and computes what follows from a plan, and shows progress where that takes long. */
public final class PlanningProgress {
  private static final long TICK_MS = 1000;

  private final CliEnvironment cliEnvironment;
  private final Output output;

  public PlanningProgress(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /** Returns the plan of a problem. */
  public PlanResult plan(
      Problem problem, PlannerOptions options, BooleanSupplier timeLimitReached) {
    return during(
        "planning",
        "planning: %,d of at most %,d %s",
        line -> new Planner(problem, options, timeLimitReached, line::show).plan());
  }

  /** Computes the spending guard of a plan, if it has one, before it is shown. */
  public void prepareSpendingGuard(PlanFigures figures) {
    during(
        "spending guard",
        "spending guard: %,d of at most %,d samples",
        line -> figures.spendingGuardUsd(line::show));
  }

  /** Returns a screen whose notes may take long. */
  public List<String> lines(Function<SamplingProgress, List<String>> screen) {
    return during("notes", "notes: %,d of %,d samples", line -> screen.apply(line::show));
  }

  /**
   * Returns the result of work that may take long.
   *
   * @param name what is shown with the time so far until the work reports its first step
   * @param text the format of {@link ProgressLine}
   */
  public <T> T during(String name, String text, Function<ProgressLine, T> work) {
    Timer timer = new Timer("planning-progress", true);
    try (ProgressLine line = new ProgressLine(cliEnvironment, output, text)) {
      timer.schedule(
          new TimerTask() {
            @Override
            public void run() {
              line.showElapsed(name);
            }
          },
          TICK_MS,
          TICK_MS);
      return work.apply(line);
    } finally {
      timer.cancel();
    }
  }
}
