package io.elastune.cli.html;

import io.elastune.cli.inspect.CodeSummary;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.RunStatus;
import io.elastune.cli.inspect.StatusScreen;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.text.JobCommand;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Renders the report of a run as HTML: a summary with charts, and the tables below it. */
final class ReportPage {
  private final RunStatus status;
  private final RunRecord run;
  private final RunHistory runHistory;
  private final TrialColors trialColors;

  private ReportPage(RunStatus status, RunHistory runHistory) {
    this.status = status;
    this.run = runHistory.run();
    this.runHistory = runHistory;
    this.trialColors = new TrialColors(run);
  }

  /**
   * Returns the page.
   *
   * @param live whether the file will be rewritten, so that the browser should reload it
   */
  static String page(RunStatus status, RunHistory runHistory, boolean live) {
    ReportPage report = new ReportPage(status, runHistory);
    String tables = new ReportTables(report.run, runHistory).markup();
    return HtmlPage.page(report.run.run(), report.summary() + tables, live);
  }

  /** Returns the part of the page above the tables. */
  static String fragment(RunStatus status, RunHistory runHistory) {
    return HtmlPage.fragment(new ReportPage(status, runHistory).summary());
  }

  private String summary() {
    InstanceTimeline timeline = new InstanceTimeline(runHistory);
    Map<String, Object> values = new HashMap<>();
    values.put("run", run.run());
    values.put("state", new StatusScreen(status, run.progress().at()).state());
    values.put("origin", origin());
    values.put("simulated", run.simulated());
    values.put("cards", cards());
    values.put("instancesOnly", !timeline.isDetailed());
    values.put("attempts", runHistory.attempts().size());
    values.put("timeline", timeline.svg());
    values.put("charts", charts());
    return HtmlPage.render("run.html", values);
  }

  private String origin() {
    List<String> parts = new ArrayList<>(JobCommand.file(run.meta().jobFile()).stream().toList());
    run.progress().began().ifPresent(at -> parts.add("started " + StatusScreen.MOMENT.format(at)));
    parts.add("as of " + StatusScreen.MOMENT.format(run.progress().at()));
    new CodeSummary(run).lines().forEach(line -> parts.add("code " + line));
    if (run.meta().notional()) {
      parts.add("example (notional) prices: you will not be charged");
    }
    return String.join(" · ", parts);
  }

  private List<Map<String, String>> cards() {
    OptionalDouble took = run.completionS();
    String time = took.isPresent() ? text(took) : Durations.format(runHistory.end()) + " so far";
    return List.of(
        card("time", time, "predicted " + text(plannedS()) + ", deadline " + text(run.deadlineS())),
        card(
            "cost",
            UsdFormat.format(run.costUsd()),
            "predicted " + usd(plannedUsd()) + ", budget " + usd(run.meta().budgetUsd())),
        bestTrial(),
        card("trials", run.plannedTrials() + " in total", status.trials().toString()));
  }

  private Map<String, String> bestTrial() {
    String metric = run.meta().metric().name();
    return run.best()
        .map(
            best ->
                card(
                    "best " + metric + (run.simulated() ? " (synthetic)" : ""),
                    ValueFormat.text(best.metric().orElseThrow()),
                    "trial " + best.trial() + ": " + ReportTables.configuration(best)))
        .orElseGet(
            () ->
                card(
                    "best " + metric,
                    "none yet",
                    "no trial has reported it at the end of a group or rung"));
  }

  private static Map<String, String> card(String name, String figure, String words) {
    return Map.of("name", name, "figure", figure, "words", words);
  }

  private OptionalDouble plannedS() {
    return run.meta().estimate().stream().mapToDouble(e -> e.completionS().mean()).findFirst();
  }

  /** Includes the cost of profiling, as the spent amount does. */
  private OptionalDouble plannedUsd() {
    return run.meta().estimate().stream()
        .mapToDouble(e -> e.costUsd().mean() + run.meta().profilingUsd())
        .findFirst();
  }

  private static String text(OptionalDouble seconds) {
    return seconds.isPresent() ? Durations.format(seconds.getAsDouble()) : "none";
  }

  private static String usd(OptionalDouble usd) {
    return usd.isPresent() ? UsdFormat.format(usd.getAsDouble()) : "none";
  }

  private List<Map<String, Object>> charts() {
    List<Map<String, Object>> charts = new ArrayList<>();
    charts.add(
        chart(
            "Cost over time",
            "dashed: predicted; solid: spent",
            new SpendChart(runHistory).svg(),
            false));
    MetricChart curves = new MetricChart(runHistory, trialColors);
    String metric = run.meta().metric().name();
    charts.add(
        curves.isEmpty()
            ? chart("Learning curves", "No trial has reported " + metric + " yet.", "", false)
            : chart(
                "Learning curves",
                metric + " by " + run.meta().unit() + "; thick: the best trial",
                curves.svg(),
                true));
    ParallelChart parallel = new ParallelChart(run, trialColors);
    if (!parallel.isEmpty()) {
      long missing = parallel.missing();
      charts.add(
          chart(
              "Hyperparameters and metric",
              "one line per trial; point at a line for its configuration"
                  + (missing > 0 ? "; not drawn: " + missing + " without a metric" : ""),
              parallel.svg(),
              true));
    }
    return charts;
  }

  private Map<String, Object> chart(String name, String words, String markup, boolean legend) {
    return Map.of(
        "name",
        name,
        "words",
        words,
        "chart",
        markup,
        "legend",
        legend,
        "keys",
        trialColors.keys());
  }
}
