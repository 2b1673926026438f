package io.elastune.cli.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.svg.SvgPlot.Area;
import io.elastune.cli.svg.SvgPlot.Point;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Draws the figures of docs/searches.md that compare the cost of searches. */
class SearchFiguresTest {
  private static final Area AREA = new Area(70, 700, 60, 370);
  private static final double HEIGHT = 410;

  /** The price of the offer. Billing starts after its queueing time. */
  private static final double USD_PER_S = 12.24 / 3600;

  private static final double QUEUE_S = 15;
  private static final int INSTANCES = 6;

  /** Plans of this cost and more are not drawn. */
  private static final double MOST_USD = 60;

  private static final double LEAST_USD = 40;

  @TempDir Path folder;

  @Test
  void costOfAshaOverTime() throws IOException {
    FigureCommands commands = new FigureCommands(folder);
    Path job =
        commands.job(
            "algorithm: asha, trials: 81, eta: 3, resource: {unit: epoch, min: 1, max: 81}",
            "max_instances: 8",
            "deadline: 3h\nbudget: {usd: 500}"); // a spending guard needs many more samples
    Map<String, List<Integer>> sizes =
        Map.of("open", List.of(INSTANCES, 1), "closing", List.of(INSTANCES, 4));
    JsonNode elastic = commands.simulate(job, commands.plan(false, sizes), "--samples", "1");
    JsonNode fixed = commands.simulate(job, commands.plan(true, sizes), "--samples", "1");
    List<Point> releasing = costs(elastic);
    List<Point> holding = costs(fixed);

    // The sums over the events are the predicted costs, but for the rounding to whole seconds.
    assertThat(last(releasing).y())
        .isCloseTo(FigureCommands.mean(elastic, "cost_usd"), within(INSTANCES * USD_PER_S));
    assertThat(last(holding).y())
        .isCloseTo(FigureCommands.mean(fixed, "cost_usd"), within(INSTANCES * USD_PER_S));

    SvgPlot plot = plot(1.05 * last(holding).x(), 0, 1.1 * last(holding).y());
    plot.curve("two", holding, "all instances held");
    plot.curve("one", releasing, "idle instances released");
    plot.verticalLine("limit", elastic.path("closing_s").asDouble(), "no new trials");
    label(plot, holding, "all instances held");
    label(plot, releasing, "idle instances released");
    Figure figure = new Figure("Cost of ASHA over time: 81 trials, 6 instances", HEIGHT);
    figure.add(plot);
    figure.check("searches-asha-cost.svg");
  }

  /** Returns the money spent by the time of each event. */
  private static List<Point> costs(JsonNode document) {
    List<Point> points = new ArrayList<>();
    points.add(new Point(QUEUE_S, 0));
    int held = INSTANCES;
    double usd = 0;
    for (JsonNode event : FigureCommands.stream(document.path("trace")).toList()) {
      double atS = event.path("at_s").asDouble();
      usd += held * USD_PER_S * (atS - last(points).x());
      points.add(new Point(atS, usd));
      held -= event.path("event").asString().equals("release") ? 1 : 0;
    }
    return points;
  }

  private static void label(SvgPlot plot, List<Point> curve, String words) {
    Point end = last(curve);
    String text = String.format(Locale.ROOT, "%s: $%.2f", words, end.y());
    plot.image().text("", plot.xOf(end.x()), plot.yOf(end.y()) - 8, "end", text);
  }

  /** Planning takes half a minute, so this figure is only drawn on request. */
  @Test
  @EnabledIfSystemProperty(named = Figure.WRITE, matches = "true")
  void frontiersOfBrackets() throws IOException {
    FigureCommands commands = new FigureCommands(folder);
    Path job =
        commands.job(
            "algorithm: hyperband, eta: 3, resource: {unit: epoch, max: 81}",
            "max_instances: 64",
            "deadline: 3h");
    List<Point> separate = frontier(commands, job, "separate");
    List<Point> shared = frontier(commands, job, "shared");

    SvgPlot plot = plot(last(shared).x() * 1.05, LEAST_USD, MOST_USD);
    draw(plot, separate, "two", "separate instances");
    draw(plot, shared, "one", "shared instances");
    Figure figure =
        new Figure("Hyperband (eta 3, up to 81 epochs): mean cost by mean completion", HEIGHT);
    figure.add(plot);
    figure.check("searches-brackets.svg");
  }

  private static List<Point> frontier(FigureCommands commands, Path job, String brackets) {
    JsonNode plan = commands.json("plan", job.toString(), "--frontier", "--brackets", brackets);
    return FigureCommands.stream(plan.path("frontier"))
        .map(one -> new Point(one.path("completion_s").asDouble(), one.path("cost_usd").asDouble()))
        .filter(point -> point.y() < MOST_USD)
        .toList();
  }

  private static void draw(SvgPlot plot, List<Point> points, String style, String name) {
    plot.curve(style, points, name);
    Point end = last(points);
    String text = String.format(Locale.ROOT, "%s: from $%.2f", name, end.y());
    boolean isLeft = plot.xOf(end.x()) < (AREA.left() + AREA.right()) / 2;
    double x = plot.xOf(end.x()) + (isLeft ? 6 : 0);
    plot.image().text("", x, plot.yOf(end.y()) - 8, isLeft ? "start" : "end", text);
  }

  private static SvgPlot plot(double mostS, double leastUsd, double mostUsd) {
    SvgPlot plot = new SvgPlot(AREA, mostS, leastUsd, mostUsd);
    plot.timeAxis();
    plot.amountAxis(6, usd -> String.format(Locale.ROOT, "$%.0f", usd));
    return plot;
  }

  private static Point last(List<Point> points) {
    return points.get(points.size() - 1);
  }
}
