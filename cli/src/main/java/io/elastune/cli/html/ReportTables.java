package io.elastune.cli.html;

import io.elastune.cli.inspect.AttemptWidths;
import io.elastune.cli.inspect.GroupTable;
import io.elastune.cli.inspect.ReportDocument;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.TrialBrackets;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.OutputExcerpt;
import io.elastune.cli.text.RungTasksLine;
import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The tables of the report page: groups, trials, decisions and faults. */
final class ReportTables {
  private static final String NONE = "–";

  private final RunRecord run;
  private final RunHistory runHistory;
  private final TrialBrackets brackets;
  private final AttemptWidths widths;

  ReportTables(RunRecord run, RunHistory runHistory) {
    this.run = run;
    this.runHistory = runHistory;
    this.brackets = TrialBrackets.of(run);
    this.widths = runHistory.widths();
  }

  private static TextTable.Heading words(String heading) {
    return new TextTable.Heading(heading, false);
  }

  private static TextTable.Heading number(String heading) {
    return new TextTable.Heading(heading, true);
  }

  /** Returns the markup of all tables. */
  String markup() {
    List<Map<String, Object>> tables = new ArrayList<>();
    tables.add(groups());
    tables.add(trials());
    if (!brackets.isEmpty()) {
      tables.add(brackets());
    }
    tables.add(decisions());
    if (!run.faults().isEmpty()) {
      tables.add(faults());
    }
    return HtmlTable.markup(tables);
  }

  private Map<String, Object> groups() {
    return table(
        "Predicted and actual",
        List.of(
            words("group"),
            number("trials"),
            words("instances"),
            number("time"),
            number("predicted"),
            number("+/−"),
            number("cost"),
            number("predicted"),
            number("+/−")),
        run.groups().stream().map(ReportTables::group).toList(),
        "groups");
  }

  private Map<String, Object> trials() {
    return table(
        "Best trials",
        withOwn(
            List.of(
                number("trial"),
                number(run.meta().metric().name()),
                number(run.meta().unit()),
                words("status"),
                words("configuration")),
            words("bracket"),
            number("GPUs")),
        run.ranked().map(this::trial).toList(),
        "trials");
  }

  private Map<String, Object> brackets() {
    return table(
        "Brackets",
        List.of(
            words("bracket"),
            number("trials"),
            number("best trial"),
            number(run.meta().metric().name())),
        brackets.all().stream().map(ReportTables::bracket).toList(),
        "brackets");
  }

  private Map<String, Object> decisions() {
    return table(
        "Decisions",
        List.of(number("at"), words("decision"), words("reason"), words("numbers")),
        run.allDecisions().stream().map(this::decision).toList(),
        "decisions");
  }

  private Map<String, Object> faults() {
    return table(
        "Faults of trials",
        List.of(number("at"), number("trial"), words("what happened")),
        run.faults().stream().map(this::fault).toList(),
        "faults");
  }

  private static List<String> group(GroupRow groupRow) {
    OptionalDouble took = ReportDocument.tookS(groupRow);
    OptionalDouble cost = ReportDocument.groupCostUsd(groupRow);
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

  private List<String> trial(TrialRow trialRow) {
    return withOwn(
        List.of(
            String.valueOf(trialRow.trial()),
            ValueFormat.text(trialRow.metric().orElse(Double.NaN)),
            trialRow.trainedUnits()
                + run.bestUnit(trialRow).map(unit -> ", best at " + unit).orElse("")
                + (trialRow.endedEarly().isPresent() ? ", ended early" : ""),
            trialRow.status().name().toLowerCase(Locale.ROOT),
            configuration(trialRow)),
        brackets.of(trialRow.trial()).orElse(NONE),
        widths.ofTrial(trialRow.trial()).orElse(NONE));
  }

  /** Adds cells after the trial, if the search has brackets, and if a policy divides instances. */
  private <T> List<T> withOwn(List<T> cells, T bracket, T width) {
    List<T> all = new ArrayList<>(cells);
    if (!widths.isEmpty()) {
      all.add(1, width);
    }
    if (!brackets.isEmpty()) {
      all.add(1, bracket);
    }
    return all;
  }

  private static List<String> bracket(TrialBrackets.BracketDocument one) {
    return List.of(
        one.bracket(),
        String.valueOf(one.trials()),
        one.best().map(String::valueOf).orElse(NONE),
        one.metric().map(metric -> ValueFormat.text(metric.orElse(Double.NaN))).orElse(NONE));
  }

  /** Returns e.g. {@code lr 0.01, batch 32}. */
  static String configuration(TrialRow trialRow) {
    return trialRow.config().entrySet().stream()
        .map((Map.Entry<String, Object> e) -> e.getKey() + " " + ValueFormat.value(e.getValue()))
        .collect(Collectors.joining(", "));
  }

  private List<String> decision(DecisionRow decisionRow) {
    return List.of(
        Durations.format(runHistory.at(decisionRow.at())),
        decisionRow.decision(),
        DecisionText.of(run.run(), decisionRow.reason(), decisionRow.numbers()),
        decisionRow.numbers().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> entry.getKey() + "=" + ValueFormat.shortText(entry.getValue()))
            .collect(Collectors.joining(" ")));
  }

  private List<String> fault(FaultRow faultRow) {
    return List.of(
        Durations.format(runHistory.at(faultRow.at())),
        String.valueOf(faultRow.trial()),
        OutputExcerpt.of(faultRow.message()));
  }

  private static Map<String, Object> table(
      String name, List<TextTable.Heading> headings, List<List<String>> rows, String things) {
    return HtmlTable.values(name, List.of(), headings, rows, things);
  }
}
