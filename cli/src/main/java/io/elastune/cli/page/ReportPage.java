package io.elastune.cli.page;

import io.elastune.cli.runs.Numbers;
import io.elastune.cli.runs.RunRecord;
import io.elastune.cli.runs.RunStatus;
import io.elastune.cli.runs.StatusScreen;
import io.elastune.cli.screen.Usd;
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
  private final History history;
  private final StringBuilder html = new StringBuilder();

  private ReportPage(RunStatus status, History history) {
    this.status = status;
    this.run = history.run();
    this.history = history;
  }

  /**
   * Returns the page.
   *
   * @param live whether the file will be rewritten, so that the browser should reload it
   */
  static String of(RunStatus status, History history, boolean live) {
    return new ReportPage(status, history).page(live);
  }

  private String page(boolean live) {
    String title = Markup.escape(run.run());
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
    section("Cost over time", "dashed: planned; solid: spent");
    html.append(new MoneyChart(history).svg());
    curves();
    new Tables(run, history, html).append();
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
    html.append("<h1>").append(Markup.escape(run.run())).append("</h1>\n<p>");
    html.append(Markup.escape(new StatusScreen(status, run.progress().at()).state()));
    html.append("</p>\n<p class=\"faint\">").append(Markup.escape(run.meta().jobFile()));
    run.progress()
        .began()
        .ifPresent(at -> html.append(" · started ").append(StatusScreen.MOMENT.format(at)));
    html.append(" · as of ").append(StatusScreen.MOMENT.format(run.progress().at()));
    html.append(run.meta().notional() ? " · prices are notional: nothing is charged" : "");
    html.append("</p>\n");
  }

  private void cards() {
    html.append("<div class=\"cards\">\n");
    OptionalDouble took = run.completionS();
    String time = took.isPresent() ? text(took) : Durations.format(history.end()) + " so far";
    card(
        "time", time, "planned " + text(plannedS()) + ", deadline " + text(run.meta().deadlineS()));
    card(
        "cost",
        Usd.format(run.costUsd()),
        "planned " + usd(plannedUsd()) + ", budget " + usd(run.meta().budgetUsd()));
    String metric = run.meta().metric().name();
    run.best()
        .ifPresentOrElse(
            best ->
                card(
                    "best " + metric,
                    Numbers.text(best.metric().orElseThrow()),
                    "trial " + best.trial() + ": " + Tables.configuration(best)),
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
    return usd.isPresent() ? Usd.format(usd.getAsDouble()) : "none";
  }

  private void card(String name, String figure, String words) {
    html.append("<div class=\"card\"><span>").append(Markup.escape(name)).append("</span><b>");
    html.append(Markup.escape(figure)).append("</b><span>").append(Markup.escape(words));
    html.append("</span></div>\n");
  }

  private void section(String name, String words) {
    html.append("<h2>").append(name).append("</h2>\n<p class=\"faint\">").append(words);
    html.append("</p>\n");
  }

  private void timeline() {
    Timeline timeline = new Timeline(history);
    html.append("<h2>Instances and trials</h2>\n<p class=\"faint\">");
    key("pending", "requested");
    key("boot", "booting");
    key("held", "idle");
    key("trial", "trial");
    key("best", "best trial");
    key("failed", "failed attempt");
    html.append("<br/>dotted: end of a group; point at a bar for details</p>\n");
    if (!timeline.isDetailed()) {
      html.append("<p class=\"faint\">The run has ").append(history.attempts().size());
      html.append("  attempts, too many to draw here: instances only.</p>\n");
    }
    html.append(timeline.svg());
  }

  private void key(String style, String words) {
    html.append("<span class=\"key ").append(style).append("\"></span>").append(words);
  }

  private void curves() {
    CurvesChart curves = new CurvesChart(history);
    String metric = Markup.escape(run.meta().metric().name());
    if (curves.isEmpty()) {
      section("Learning curves", "No trial has reported " + metric + " yet.");
    } else {
      section(
          "Learning curves",
          metric + " by " + Markup.escape(run.meta().unit()) + "; thick: the best trial");
      html.append(curves.svg());
    }
  }
}
