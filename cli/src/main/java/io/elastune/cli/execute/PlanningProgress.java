package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.ProgressLine;
import io.elastune.cli.input.PlanFigures;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.BooleanSupplier;

/** Plans and computes spending guards, and shows progress on a terminal where that takes long. */
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
    Timer timer = new Timer("planning-progress", true);
    try (ProgressLine line = line("planning: %,d of at most %,d samples")) {
      timer.schedule(
          new TimerTask() {
            @Override
            public void run() {
              line.showElapsed("planning");
            }
          },
          TICK_MS,
          TICK_MS);
      return new Planner(problem, options, timeLimitReached, line::show).plan();
    } finally {
      timer.cancel();
    }
  }

  /** Computes the spending guard of a plan, if it has one, before it is shown. */
  public void prepareSpendingGuard(PlanFigures figures) {
    try (ProgressLine line = line("spending guard: %,d of at most %,d samples")) {
      figures.spendingGuardUsd(line::show);
    }
  }

  private ProgressLine line(String text) {
    return new ProgressLine(cliEnvironment, output, text);
  }
}
