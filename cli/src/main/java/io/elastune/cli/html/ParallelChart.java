package io.elastune.cli.html;

import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.ValueFormat;
import io.elastune.cli.svg.SvgWriter;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Job;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Draws every trial as a line through its hyperparameters and its metric (parallel coordinates). An
 * axis is logarithmic where the search space is. A trial without a hyperparameter, because of a
 * condition, passes below its axis.
 */
final class ParallelChart {
  private static final double WIDTH = 760;
  private static final double LEAST_SPACING = 105;
  private static final double LEFT = 40;
  private static final double RIGHT_MARGIN = 80;
  private static final double TOP = 34;
  private static final double HEIGHT = 230;
  private static final double BELOW = 22;
  private static final double PIXELS_PER_CHARACTER = 6.8;
  private static final int MOST_TRIALS = 500;

  private final RunRecord run;
  private final TrialColors trialColors;
  private final Map<Integer, TrialRow> trials = new LinkedHashMap<>();
  private final List<Map<Integer, Object>> values = new ArrayList<>();
  private final List<ParallelAxis> axes = new ArrayList<>();
  private final double spacing;
  private final SvgWriter svgWriter = new SvgWriter();

  ParallelChart(RunRecord run, TrialColors trialColors) {
    this.run = run;
    this.trialColors = trialColors;
    run.ranked().limit(MOST_TRIALS).forEach(trial -> trials.put(trial.trial(), trial));
    Map<String, Dimension> space =
        run.job().map(Job::search).map(search -> search.space()).orElse(Map.of());
    Map<String, Map<Integer, Object>> byName = new LinkedHashMap<>();
    space.keySet().forEach(name -> byName.put(name, new LinkedHashMap<>()));
    trials.forEach((number, trial) -> addConfiguration(byName, number, trial.config()));
    byName.forEach((name, byTrial) -> addAxis(name, byTrial, isLogarithmic(space.get(name))));
    Map<Integer, Object> metric = new LinkedHashMap<>();
    trials.forEach((number, trial) -> metric.put(number, trial.metric().orElseThrow()));
    addAxis(run.meta().metric().name(), metric, false);
    this.spacing =
        Math.max(LEAST_SPACING, (WIDTH - LEFT - RIGHT_MARGIN) / Math.max(1, axes.size() - 1));
  }

  private static void addConfiguration(
      Map<String, Map<Integer, Object>> byName, int trial, Map<String, Object> configuration) {
    configuration.forEach(
        (name, value) ->
            byName
                .computeIfAbsent(name, some -> new LinkedHashMap<>())
                .put(trial, Objects.requireNonNullElse(value, "null")));
  }

  private void addAxis(String name, Map<Integer, Object> byTrial, boolean logarithmic) {
    if (!byTrial.isEmpty()) {
      values.add(byTrial);
      axes.add(ParallelAxis.of(name, byTrial.values(), logarithmic));
    }
  }

  private static boolean isLogarithmic(@Nullable Dimension dimension) {
    return dimension instanceof Dimension.LogUniform
        || dimension instanceof Dimension.LogNormal
        || (dimension instanceof Dimension.Int whole && whole.log());
  }

  /** Returns whether there is nothing to show: no trial has a metric. */
  boolean isEmpty() {
    return trials.isEmpty();
  }

  /** Returns the number of trials that are not drawn, because they have no metric. */
  long missing() {
    return run.trials().size() - run.ranked().count();
  }

  String svg() {
    double width = LEFT + spacing * (axes.size() - 1) + RIGHT_MARGIN;
    svgWriter.append(
        String.format(
            Locale.ROOT,
            "<div class=\"chart\"><svg viewBox=\"0 0 %.0f %.0f\" style=\"min-width: %.0fpx\""
                + " role=\"img\" aria-label=\"hyperparameters and metric by trial\">\n",
            width,
            TOP + HEIGHT + BELOW + 8,
            0.87 * width));
    trials.keySet().forEach(this::line);
    // The colored trials again, on top of all others.
    trialColors.drawnLast().stream().filter(trials::containsKey).forEach(this::line);
    for (int i = 0; i < axes.size(); i++) {
      axis(i);
    }
    return svgWriter + "</svg></div>";
  }

  private void axis(int index) {
    ParallelAxis axis = axes.get(index);
    double x = LEFT + spacing * index;
    svgWriter.line("axis", x, TOP, x, TOP + HEIGHT);
    int most = (int) (spacing / PIXELS_PER_CHARACTER);
    String anchor = index == 0 ? "start" : "middle";
    svgWriter.text("", index == 0 ? 2 : x, TOP - 14, anchor, shortened(axis.name(), most));
    axis.ticks()
        .forEach(
            (at, label) ->
                svgWriter.text("small", x + 5, y(at) + 4, "start", shortened(label, most - 2)));
    if (values.get(index).size() < trials.size()) {
      svgWriter.text("small", x + 5, TOP + HEIGHT + BELOW + 4, "start", "not used");
    }
  }

  private void line(int trial) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < axes.size(); i++) {
      Optional<Double> at =
          Optional.ofNullable(values.get(i).get(trial)).map(axes.get(i).positions()::get);
      path.append(path.length() == 0 ? 'M' : 'L')
          .append(
              String.format(
                  Locale.ROOT,
                  "%.1f %.1f",
                  LEFT + spacing * i,
                  at.map(ParallelChart::y).orElse(TOP + HEIGHT + BELOW)));
    }
    TrialRow row = Objects.requireNonNull(trials.get(trial));
    String words =
        "trial %d: %s %s; %s"
            .formatted(
                trial,
                run.meta().metric().name(),
                ValueFormat.text(row.metric().orElseThrow()),
                ReportTables.configuration(row));
    svgWriter.path(trialColors.style(trial), path, words);
  }

  private static double y(double position) {
    return TOP + HEIGHT * (1 - position);
  }

  private static String shortened(String words, int most) {
    return words.length() <= most ? words : words.substring(0, Math.max(1, most - 1)) + "…";
  }
}
