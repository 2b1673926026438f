package io.elastune.cli.html;

import io.elastune.cli.inspect.GroupTable;
import io.elastune.cli.inspect.ReportDocument;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.svg.MarkupEscaper;
import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.OutputExcerpt;
import io.elastune.cli.text.RungTasksLine;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.executor.journal.RunReader;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Renders the tables of the report page: groups, trials, decisions and faults. */
final class ReportTables {
  /** Maximum number of rows; more would make the page slow. */
  private static final int MOST_ROWS = 200;

  private static final String NONE = "–";

  private final RunRecord run;
  private final RunHistory runHistory;
  private final StringBuilder html;

  ReportTables(RunRecord run, RunHistory runHistory, StringBuilder html) {
    this.run = run;
    this.runHistory = runHistory;
    this.html = html;
  }

  void append() {
    table(
        "Predicted and actual",
        List.of(
            "group",
            "trials>",
            "instances",
            "time>",
            "predicted>",
            "+/−>",
            "cost>",
            "predicted>",
            "+/−>"),
        run.groups().stream().map(ReportTables::group).toList(),
        "");
    table(
        "Best trials",
        List.of(
            "trial>",
            run.meta().metric().name() + ">",
            run.meta().unit() + ">",
            "status",
            "configuration"),
        run.ranked().map(ReportTables::trial).toList(),
        "trials");
    table(
        "Decisions",
        List.of("at>", "decision", "reason", "numbers"),
        run.allDecisions().stream().map(this::decision).toList(),
        "decisions");
    if (!run.faults().isEmpty()) {
      table(
          "Faults of trials",
          List.of("at>", "trial>", "what happened"),
          run.faults().stream().map(this::fault).toList(),
          "faults");
    }
  }

  private static List<String> group(RunReader.GroupRow groupRow) {
    OptionalDouble took = ReportDocument.tookS(groupRow);
    OptionalDouble cost = ReportDocument.costUsd(groupRow);
    return List.of(
        groupRow.name(),
        RungTasksLine.trials(groupRow.name(), groupRow.trials()),
        groupRow.instances() + " × " + groupRow.offer(),
        took.isPresent() ? Durations.format(took.getAsDouble()) : NONE,
        groupRow.predictedS().isPresent()
            ? Durations.format(groupRow.predictedS().getAsDouble())
            : NONE,
        GroupTable.deviation(took, groupRow.predictedS()),
        cost.isPresent() ? UsdFormat.format(cost.getAsDouble()) : NONE,
        groupRow.predictedUsd().isPresent()
            ? UsdFormat.format(groupRow.predictedUsd().getAsDouble())
            : NONE,
        groupRow.ended().isPresent() ? GroupTable.deviation(cost, groupRow.predictedUsd()) : NONE);
  }

  private static List<String> trial(RunReader.TrialRow trialRow) {
    return List.of(
        String.valueOf(trialRow.trial()),
        ValueFormat.text(trialRow.metric().orElse(Double.NaN)),
        trialRow.trainedUnits() + (trialRow.endedEarly().isPresent() ? ", ended early" : ""),
        trialRow.status().name().toLowerCase(Locale.ROOT),
        configuration(trialRow));
  }

  /** Returns e.g. {@code lr 0.01, batch 32}. */
  static String configuration(RunReader.TrialRow trialRow) {
    return trialRow.config().entrySet().stream()
        .map((Map.Entry<String, Object> e) -> e.getKey() + " " + ValueFormat.value(e.getValue()))
        .collect(Collectors.joining(", "));
  }

  private List<String> decision(RunReader.DecisionRow decisionRow) {
    return List.of(
        Durations.format(runHistory.at(decisionRow.at())),
        decisionRow.decision(),
        DecisionText.of(run.run(), decisionRow.reason(), decisionRow.numbers()),
        decisionRow.numbers().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> entry.getKey() + "=" + ValueFormat.shortText(entry.getValue()))
            .collect(Collectors.joining(" ")));
  }

  private List<String> fault(RunReader.FaultRow faultRow) {
    return List.of(
        Durations.format(runHistory.at(faultRow.at())),
        String.valueOf(faultRow.trial()),
        OutputExcerpt.of(faultRow.message()));
  }

  /**
   * Appends a table. Columns whose heading ends in {@code >} are right-aligned.
   *
   * @param things plural noun for rows that are not shown
   */
  private void table(String name, List<String> headings, List<List<String>> rows, String things) {
    html.append("<h2>").append(name).append("</h2>\n");
    if (rows.isEmpty()) {
      html.append("<p class=\"faint\">none yet</p>\n");
      return;
    }
    html.append("<div class=\"wide\"><table>\n<tr>");
    for (String heading : headings) {
      boolean number = heading.endsWith(">");
      String words = number ? heading.substring(0, heading.length() - 1) : heading;
      html.append(number ? "<th class=\"n\">" : "<th>")
          .append(MarkupEscaper.escape(words))
          .append("</th>");
    }
    html.append("</tr>\n");
    for (List<String> row : rows.subList(0, Math.min(MOST_ROWS, rows.size()))) {
      html.append("<tr>");
      for (int i = 0; i < row.size(); i++) {
        html.append(headings.get(i).endsWith(">") ? "<td class=\"n\">" : "<td>");
        html.append(MarkupEscaper.escape(row.get(i))).append("</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</table></div>\n");
    if (rows.size() > MOST_ROWS) {
      html.append("<p class=\"faint\">and ").append(rows.size() - MOST_ROWS).append(" more ");
      html.append(things).append("</p>\n");
    }
  }
}
