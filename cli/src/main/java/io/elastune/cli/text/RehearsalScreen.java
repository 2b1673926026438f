package io.elastune.cli.text;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.rehearsal.BudgetRemaining;
import io.elastune.executor.rehearsal.InvariantViolation;
import io.elastune.executor.rehearsal.RehearsalSummary;
import io.elastune.executor.rehearsal.RehearsedRun;
import io.elastune.inputs.Inputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Renders the results of a rehearsal as text. */
public final class RehearsalScreen {
  /** Maximum number of failing runs that are listed. */
  private static final int MOST_NAMED = 10;

  private final Inputs inputs;
  private final RunDefinition definition;
  private final Estimate estimate;
  private final Estimate promised;
  private final boolean plannedWithoutFaults;
  private final RehearsalSummary rehearsalSummary;

  public RehearsalScreen(
      Inputs inputs,
      RunDefinition definition,
      Estimate estimate,
      Estimate promised,
      boolean plannedWithoutFaults,
      RehearsalSummary rehearsalSummary) {
    this.inputs = inputs;
    this.definition = definition;
    this.estimate = estimate;
    this.promised = promised;
    this.plannedWithoutFaults = plannedWithoutFaults;
    this.rehearsalSummary = rehearsalSummary;
  }

  /**
   * Returns the lines.
   *
   * @param faults the fault level
   * @param first seed of the first run
   * @param tookS duration of the rehearsal in seconds
   * @param replay the command that replays a run, without its seed
   */
  public List<String> lines(String faults, long first, double tookS, String replay) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Rehearsal of %s    %s    faults: %s    seeds %d to %d"
            .formatted(
                inputs.job().value().name(),
                runs(rehearsalSummary.runs()),
                faults,
                first,
                first + rehearsalSummary.runs() - 1));
    if (plannedWithoutFaults) {
      lines.add(
          " no plan meets the limits with these faults: the plan without faults is executed, and"
              + " predicted with them");
    }
    lines.addAll(comparison());
    lines.add(" ended with  " + exits());
    lines.add(" violated    " + violations());
    if (!rehearsalSummary.faultCounts().isEmpty()) {
      lines.add(" injected    " + faults());
    }
    lines.add(
        String.format(
            Locale.ROOT,
            " all runs were simulated: nothing was started or charged; %.0f runs and %,.0f"
                + " events per second",
            rehearsalSummary.runs() / tookS,
            rehearsalSummary.events() / tookS));
    rehearsalSummary.failingRuns().stream()
        .limit(MOST_NAMED)
        .forEach(run -> failing(lines, run, replay));
    int more = rehearsalSummary.failingRuns().size() - MOST_NAMED;
    if (more > 0) {
      lines.add(" and " + more + " more; --json lists all");
    }
    return lines;
  }

  /** Returns what was predicted beside what the runs needed. */
  private List<String> comparison() {
    List<String> lines = new ArrayList<>();
    lines.add(row("", "predicted", "executed"));
    compare(
        lines, "finish", estimate.completionS(), rehearsalSummary.completionS(), Durations::format);
    compare(lines, "cost", estimate.costUsd(), rehearsalSummary.costUsd(), UsdFormat::format);
    kept(lines, "on time", definition.deadlineS(), promised.onTime(), rehearsalSummary.onTime());
    kept(
        lines,
        "in budget",
        definition.budgetLeftUsd(),
        promised.inBudget().orElse(1),
        rehearsalSummary.inBudget());
    boolean limited = inputs.job().value().budget().isPresent();
    rehearsalSummary
        .budgetRemaining()
        .filter(budgetRemaining -> limited)
        .ifPresent(budgetRemaining -> lines.add(text(budgetRemaining)));
    return lines;
  }

  private static String runs(int count) {
    return String.format(Locale.ROOT, count == 1 ? "%,d run" : "%,d runs", count);
  }

  private static String row(String name, String predicted, String executed) {
    return String.format(" %-11s %-26s %s", name, predicted, executed).stripTrailing();
  }

  private static void compare(
      List<String> lines,
      String name,
      Distribution predicted,
      Distribution executed,
      DoubleFunction<String> format) {
    lines.add(row(name, text(predicted, format), text(executed, format)));
  }

  private static String text(Distribution some, DoubleFunction<String> format) {
    return Double.isNaN(some.mean())
        ? "no run completed"
        : format.apply(some.mean()) + " (95% within " + format.apply(some.p95()) + ")";
  }

  private static void kept(
      List<String> lines, String name, OptionalDouble limit, double predicted, double executed) {
    if (limit.isPresent()) {
      lines.add(
          row(name, PercentFormat.probability(predicted), PercentFormat.probability(executed)));
    }
  }

  private static String text(BudgetRemaining budgetRemaining) {
    return " unused      "
        + UsdFormat.format(budgetRemaining.meanUsd())
        + " of the budget on average, at least "
        + UsdFormat.format(budgetRemaining.leastUsd())
        + (Double.isNaN(budgetRemaining.stoppedMeanUsd())
            ? ""
            : "; in runs stopped by the budget: "
                + UsdFormat.format(budgetRemaining.stoppedMeanUsd())
                + ", at most "
                + UsdFormat.format(budgetRemaining.stoppedMostUsd()));
  }

  private String exits() {
    return rehearsalSummary.exits().entrySet().stream()
        .map(
            entry ->
                String.format(Locale.ROOT, "%,d × ", entry.getValue()) + meaning(entry.getKey()))
        .collect(Collectors.joining(" · "));
  }

  private String meaning(int exit) {
    if (exit < 0) {
      return "not ended";
    }
    RunOutcome outcome = RunOutcome.ofExitCode(exit);
    boolean isStopped =
        outcome == RunOutcome.DEADLINE_MISSED && definition.deadlineMiss() == Job.DeadlineMiss.STOP;
    return exit + " (" + (isStopped ? "stopped at the deadline" : outcome.meaning()) + ")";
  }

  private String violations() {
    return rehearsalSummary.violations().entrySet().stream()
        .map(entry -> entry.getKey().word().replace('_', ' ') + " " + entry.getValue())
        .collect(Collectors.joining(" · "));
  }

  private String faults() {
    return rehearsalSummary.faultCounts().entrySet().stream()
        .map(entry -> entry.getKey().label() + String.format(Locale.ROOT, " %,d", entry.getValue()))
        .collect(Collectors.joining(" · "));
  }

  private static void failing(List<String> lines, RehearsedRun run, String replay) {
    lines.add(
        " seed "
            + run.seed()
            + " violated a guarantee: "
            + run.violations().stream()
                .map(InvariantViolation::description)
                .collect(Collectors.joining("; ")));
    lines.add("   replay: " + replay + run.seed());
  }
}
