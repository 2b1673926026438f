package io.elastune.planner.quality;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws the savings over the best static cluster by the slack of the deadline, as SVG. */
final class SavingsChart {
  private static final double LEFT = 60;
  private static final double RIGHT = 700;
  private static final double TOP = 65;
  private static final double BOTTOM = 350;
  private static final double LEAST_SLACK = 1;
  private static final double MOST_SLACK = 5;
  private static final double STEP = 0.25;
  private static final String STYLE =
      """
      <style>
        text { font: 13px sans-serif; fill: #1f2328 }
        .axis { stroke: #6e7781; fill: none }
        .grid { stroke: #d0d7de; fill: none }
        .two { stroke: #cf222e; stroke-dasharray: 6 4; fill: none }
        .band { fill: #0969da; opacity: 0.18 }
        .median { stroke: #0969da; stroke-width: 2.5; fill: none }
        .job { stroke: #0969da; stroke-width: 3; stroke-linecap: round; opacity: 0.35; fill: none }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3 }
          .axis { stroke: #8b949e }
          .grid { stroke: #30363d }
          .two { stroke: #ff7b72 }
          .band { fill: #58a6ff }
          .median, .job { stroke: #58a6ff }
        }
      </style>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final double most;

  /** The jobs with a deadline of about {@code slack}. */
  private record Bin(double slack, Statistics savings) {}

  private SavingsChart(double most) {
    this.most = most;
  }

  static String of(List<HalvingJob> jobs) {
    double most = jobs.stream().mapToDouble(job -> job.savings().orElse(1)).max().orElse(2);
    SavingsChart chart = new SavingsChart(Math.max(2.5, Math.ceil(2 * most) / 2));
    chart.frame(jobs.size());
    chart.jobs(jobs);
    chart.bins(jobs);
    chart.svg.append("</svg>\n");
    return chart.svg.toString();
  }

  private void frame(int jobs) {
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 740 410\" role=\"img\">\n");
    svg.append("<title>Cost of the best static cluster divided by the plan's</title>\n");
    svg.append(STYLE);
    text(LEFT, 24, "start", "Best static cluster ÷ Elastune's plan, " + jobs + " random jobs");
    for (double factor = 1; factor <= most + 1e-9; factor += 0.5) {
      line(factor == 2 ? "two" : "grid", LEFT, y(factor), RIGHT, y(factor));
      text(LEFT - 8, y(factor) + 4, "end", String.format(Locale.ROOT, "%.1f×", factor));
    }
    for (double slack = LEAST_SLACK; slack <= MOST_SLACK; slack += 0.5) {
      line("axis", x(slack), BOTTOM, x(slack), BOTTOM + 5);
      text(x(slack), BOTTOM + 20, "middle", String.format(Locale.ROOT, "%.1f", slack));
    }
    line("axis", LEFT, BOTTOM, RIGHT, BOTTOM);
    text((LEFT + RIGHT) / 2, BOTTOM + 42, "middle", "deadline ÷ time of the fastest plan");
    text(RIGHT, y(2) - 6, "end", "the published headline: up to 2×");
    text(RIGHT, 44, "end", "dots: jobs · line: median · band: p10 to p90");
  }

  /** Draws all dots as one path: an element for each dot would make a large file. */
  private void jobs(List<HalvingJob> jobs) {
    svg.append("<path class=\"job\" d=\"");
    for (HalvingJob job : jobs) {
      if (job.savings().isPresent()) {
        double y = y(job.savings().getAsDouble());
        svg.append(String.format(Locale.ROOT, "M%.1f %.1fh0", x(job.slack()), y));
      }
    }
    svg.append("\"/>\n");
  }

  private void bins(List<HalvingJob> jobs) {
    List<Bin> bins = new ArrayList<>();
    for (double low = LEAST_SLACK; low < MOST_SLACK; low += STEP) {
      double from = low;
      Statistics savings =
          Statistics.of(
              jobs.stream()
                  .filter(job -> job.slack() >= from && job.slack() < from + STEP)
                  .flatMapToDouble(job -> job.savings().stream()));
      if (savings.count() > 0) {
        bins.add(new Bin(low + STEP / 2, savings));
      }
    }
    List<Bin> back = new ArrayList<>(bins);
    Collections.reverse(back);
    svg.append("<polygon class=\"band\" points=\"")
        .append(points(bins, 0.9))
        .append(' ')
        .append(points(back, 0.1))
        .append("\"/>\n<polyline class=\"median\" points=\"")
        .append(points(bins, 0.5))
        .append("\"/>\n");
  }

  private String points(List<Bin> bins, double share) {
    return bins.stream()
        .map(
            bin ->
                String.format(
                    Locale.ROOT, "%.1f,%.1f", x(bin.slack()), y(bin.savings().quantile(share))))
        .collect(Collectors.joining(" "));
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
            style,
            x1,
            y1,
            x2,
            y2));
  }

  private void text(double x, double y, String anchor, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
            x,
            y,
            anchor,
            words));
  }

  private static double x(double slack) {
    return LEFT + (slack - LEAST_SLACK) / (MOST_SLACK - LEAST_SLACK) * (RIGHT - LEFT);
  }

  private double y(double factor) {
    return BOTTOM - (factor - 0.9) / (most - 0.9) * (BOTTOM - TOP);
  }
}
