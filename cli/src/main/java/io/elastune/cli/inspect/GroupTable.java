package io.elastune.cli.inspect;

import io.elastune.cli.text.RungTasksLine;
import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.RunMeta;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Renders the predicted and the actual time and cost of every trial group. */
public final class GroupTable {
  private static final String NONE = "–";

  private final RunRecord run;

  GroupTable(RunRecord run) {
    this.run = run;
  }

  /** Returns the header, a line for every group, and a line for the whole run. */
  List<String> lines() {
    TextTable table =
        new TextTable()
            .left("group")
            .right("trials")
            .right("to " + run.meta().unit())
            .left("instances")
            .right("time")
            .right("predicted")
            .right("+/-")
            .right("cost")
            .right("predicted")
            .right("+/-");
    run.groups().stream()
        .filter(groupRow -> !isUnused(groupRow))
        .forEach(groupRow -> row(table, groupRow));
    if (run.meta().estimate().isPresent()) {
      total(table);
    }
    return table.lines();
  }

  /** Whether a profiling run needed no measurement of the group: it ended as it began. */
  private boolean isUnused(GroupRow groupRow) {
    return run.meta().kind() == RunMeta.Kind.PROFILE
        && groupRow.started().isPresent()
        && groupRow.started().equals(groupRow.ended());
  }

  private static void row(TextTable table, GroupRow groupRow) {
    OptionalDouble took = ReportDocument.tookS(groupRow);
    OptionalDouble cost = ReportDocument.groupCostUsd(groupRow);
    table.row(
        groupRow.name(),
        RungTasksLine.trials(groupRow.name(), groupRow.trials()),
        RungTasksLine.units(groupRow.name(), groupRow.toUnit()),
        groupRow.instances() + " × " + groupRow.offer(),
        took.isEmpty() && groupRow.started().isPresent()
            ? "not ended"
            : text(took, Durations::format),
        text(groupRow.predictedS(), Durations::format),
        deviation(took, groupRow.predictedS()),
        text(cost, UsdFormat::format),
        text(groupRow.predictedUsd(), UsdFormat::format),
        groupRow.ended().isPresent() ? deviation(cost, groupRow.predictedUsd()) : NONE);
  }

  /** Groups of several chains run concurrently, so times are those of the whole run, not sums. */
  private void total(TextTable table) {
    OptionalDouble predictedS = estimated(true);
    OptionalDouble predictedUsd = estimated(false);
    OptionalDouble cost = OptionalDouble.of(run.progress().spentUsd());
    boolean ended = run.completed().isPresent();
    table.row(
        "all",
        run.plannedTrials(),
        "",
        "",
        text(run.completionS(), Durations::format),
        text(predictedS, Durations::format),
        deviation(run.completionS(), predictedS),
        text(cost, UsdFormat::format),
        text(predictedUsd, UsdFormat::format),
        ended ? deviation(cost, predictedUsd) : NONE);
  }

  private OptionalDouble estimated(boolean time) {
    return run.meta().estimate().stream()
        .mapToDouble(some -> time ? some.completionS().mean() : some.costUsd().mean())
        .findFirst();
  }

  private static String text(OptionalDouble number, DoubleFunction<String> format) {
    return number.isPresent() ? format.apply(number.getAsDouble()) : NONE;
  }

  /** Returns the deviation from the prediction in percent, with its sign. */
  public static String deviation(OptionalDouble actual, OptionalDouble predicted) {
    if (actual.isEmpty() || predicted.isEmpty() || predicted.getAsDouble() <= 0) {
      return NONE;
    }
    long percent =
        Math.round(
            100 * (actual.getAsDouble() - predicted.getAsDouble()) / predicted.getAsDouble());
    return (percent > 0 ? "+" : "") + percent + "%";
  }
}
