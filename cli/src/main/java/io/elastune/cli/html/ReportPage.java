package io.elastune.cli.html;

import io.elastune.cli.inspect.CodeSummary;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.RunStatus;
import io.elastune.cli.inspect.StatusScreen;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.svg.MarkupEscaper;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Renders the report of a run as a self-contained HTML page, without scripts, other files or
 * network access.
 */
final class ReportPage {
  private static final int REFRESH_S = 5;

  private final RunStatus status;
  private final RunRecord run;
  private final RunHistory runHistory;
  private final TrialColors trialColors;
  private final StringBuilder html = new StringBuilder();

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
  static String of(RunStatus status, RunHistory runHistory, boolean live) {
    return new ReportPage(status, runHistory).page(live);
  }

  private String page(boolean live) {
    String title = MarkupEscaper.escape(run.run());
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    if (live) {
      html.append("<meta http-equiv=\"refresh\" content=\"").append(REFRESH_S).append("\"/>\n");
    }
    // An empty icon, so that the browser requests none from a server.
    html.append("<link rel=\"icon\" href=\"data:,\"/>\n");
    html.append("<title>").append(title).append("</title>\n<style>\n");
    html.append(style()).append("</style>\n</head>\n<body>\n");
    head();
    cards();
    timeline();
    section("Cost over time", "dashed: predicted; solid: spent");
    html.append(new SpendChart(runHistory).svg());
    curves();
    parallel();
    new ReportTables(run, runHistory, html).append();
    html.append("</body>\n</html>\n");
    return html.toString();
  }

  private static String style() {
    try (InputStream css = ReportPage.class.getResourceAsStream("style.css")) {
      return new String(
          Objects.requireNonNull(css, "style.css").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void head() {
    html.append("<h1>").append(MarkupEscaper.escape(run.run())).append("</h1>\n<p>");
    html.append(MarkupEscaper.escape(new StatusScreen(status, run.progress().at()).state()));
    html.append("</p>\n<p class=\"faint\">").append(MarkupEscaper.escape(run.meta().jobFile()));
    run.progress()
        .began()
        .ifPresent(at -> html.append(" · started ").append(StatusScreen.MOMENT.format(at)));
    html.append(" · as of ").append(StatusScreen.MOMENT.format(run.progress().at()));
    new CodeSummary(run)
        .lines()
        .forEach(line -> html.append(" · code ").append(MarkupEscaper.escape(line)));
    html.append(
        run.meta().notional() ? " · example (notional) prices: you will not be charged" : "");
    html.append("</p>\n");
    if (run.simulated()) {
      html.append("<p class=\"simulated\">Simulated run: nothing was rented, trained or charged.");
      html.append(" All metrics, times and costs on this page are simulated; the metrics are");
      html.append(" synthetic and say nothing about your program.</p>\n");
    }
  }

  private void cards() {
    html.append("<div class=\"cards\">\n");
    OptionalDouble took = run.completionS();
    String time = took.isPresent() ? text(took) : Durations.format(runHistory.end()) + " so far";
    card(
        "time",
        time,
        "predicted " + text(plannedS()) + ", deadline " + text(run.meta().deadlineS()));
    card(
        "cost",
        UsdFormat.format(run.costUsd()),
        "predicted " + usd(plannedUsd()) + ", budget " + usd(run.meta().budgetUsd()));
    String metric = run.meta().metric().name();
    run.best()
        .ifPresentOrElse(
            best ->
                card(
                    "best " + metric + (run.simulated() ? " (synthetic)" : ""),
                    ValueFormat.text(best.metric().orElseThrow()),
                    "trial " + best.trial() + ": " + ReportTables.configuration(best)),
            () -> card("best " + metric, "none yet", "no trial has reported it"));
    card("trials", run.plannedTrials() + " in total", status.trials().toString());
    html.append("</div>\n");
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

  private void card(String name, String figure, String words) {
    html.append("<div class=\"card\"><span>")
        .append(MarkupEscaper.escape(name))
        .append("</span><b>");
    html.append(MarkupEscaper.escape(figure))
        .append("</b><span>")
        .append(MarkupEscaper.escape(words));
    html.append("</span></div>\n");
  }

  private void section(String name, String words) {
    html.append("<h2>").append(name).append("</h2>\n<p class=\"faint\">").append(words);
    html.append("</p>\n");
  }

  private void timeline() {
    InstanceTimeline instanceTimeline = new InstanceTimeline(runHistory);
    html.append("<h2>Instances and trials</h2>\n<p class=\"faint\">");
    key("pending", "requested");
    key("boot", "booting");
    key("held", "idle");
    key("trial", "trial");
    key("best", "best trial");
    key("failed", "failed attempt");
    html.append("<br/>dotted: end of a group; point at a bar for details</p>\n");
    if (!instanceTimeline.isDetailed()) {
      html.append("<p class=\"faint\">The run has ").append(runHistory.attempts().size());
      html.append("  attempts, too many to draw here: instances only.</p>\n");
    }
    html.append(instanceTimeline.svg());
  }

  private void key(String style, String words) {
    html.append("<span class=\"key ").append(style).append("\"></span>").append(words);
  }

  private void curves() {
    MetricChart curves = new MetricChart(runHistory, trialColors);
    String metric = MarkupEscaper.escape(run.meta().metric().name());
    if (curves.isEmpty()) {
      section("Learning curves", "No trial has reported " + metric + " yet.");
    } else {
      section(
          "Learning curves",
          metric + " by " + MarkupEscaper.escape(run.meta().unit()) + "; thick: the best trial");
      html.append(trialColors.legend()).append(curves.svg());
    }
  }

  private void parallel() {
    ParallelChart chart = new ParallelChart(run, trialColors);
    if (!chart.isEmpty()) {
      section(
          "Hyperparameters and metric",
          "one line per trial; point at a line for its configuration"
              + (chart.missing() > 0
                  ? "; not drawn: " + chart.missing() + " without a metric"
                  : ""));
      html.append(trialColors.legend()).append(chart.svg());
    }
  }
}
