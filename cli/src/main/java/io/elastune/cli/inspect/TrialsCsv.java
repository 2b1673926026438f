package io.elastune.cli.inspect;

import io.elastune.cli.inspect.TrialResults.TrialResult;
import io.elastune.core.config.ConfigurationCells;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Search;
import io.elastune.core.text.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Writes the trials of a run as CSV (RFC 4180): one row per trial, one column {@code config.NAME}
 * per hyperparameter and one column {@code metric.NAME} per metric. An empty cell means that there
 * is no value, as opposed to {@code null}.
 *
 * <p>Spreadsheets execute cells that start with {@code = + - @}. A text that does so gets a leading
 * apostrophe. Numbers are unchanged. {@code search.configs} reads the cells of hyperparameters.
 */
public final class TrialsCsv {
  private static final List<String> FIXED =
      List.of(
          "run",
          "simulated",
          "trial",
          "chain",
          "status",
          "units",
          "reported_unit",
          "duration_s",
          "cost_usd",
          "attempts",
          "failures",
          "checkpoint",
          "origin",
          "parent",
          "bracket");

  private TrialsCsv() {}

  /** Returns the text of the file. */
  public static String of(RunRecord run, TrialResults results) {
    Set<String> parameters = new LinkedHashSet<>();
    run.job().ifPresent(job -> parameters.addAll(job.search().space().keySet()));
    Set<String> metrics = new LinkedHashSet<>(List.of(run.meta().metric().name()));
    Set<String> others = new TreeSet<>();
    for (TrialResult trial : results.trials()) {
      parameters.addAll(trial.row().config().keySet());
      others.addAll(trial.metrics().keySet());
    }
    metrics.addAll(others);
    List<String> header = new ArrayList<>(FIXED);
    parameters.forEach(name -> header.add("config." + name));
    metrics.forEach(name -> header.add("metric." + VisibleText.escape(name)));
    TrialBrackets brackets = TrialBrackets.of(run);
    StringBuilder csv = new StringBuilder(line(header));
    for (TrialResult trial : results.trials()) {
      List<String> cells = fixed(run, trial, brackets);
      Map<String, Object> config = trial.row().values();
      parameters.forEach(
          name ->
              cells.add(
                  Optional.ofNullable(config.get(name))
                      .map(value -> ConfigurationCells.write(dimension(run, name), value))
                      .orElse("")));
      metrics.forEach(name -> cells.add(metricCell(trial, name)));
      csv.append(line(cells));
    }
    return csv.toString();
  }

  private static String metricCell(TrialResult trial, String name) {
    return Optional.ofNullable(trial.metrics().get(name)).map(TrialsCsv::metric).orElse("");
  }

  private static List<String> fixed(RunRecord run, TrialResult trial, TrialBrackets brackets) {
    return new ArrayList<>(
        List.of(
            text(run.run()),
            String.valueOf(run.simulated()),
            String.valueOf(trial.row().trial()),
            text(trial.row().chain()),
            trial.row().status().name().toLowerCase(Locale.ROOT),
            String.valueOf(trial.row().trainedUnits()),
            String.valueOf(trial.reportedUnit()),
            String.valueOf(trial.durationS()),
            String.valueOf(trial.costUsd()),
            String.valueOf(trial.row().attempts()),
            String.valueOf(trial.row().failures()),
            trial.checkpoint().map(TrialsCsv::text).orElse(""),
            trial.origin().map(Search.Origin::word).orElse(""),
            trial.row().parent().isPresent() ? String.valueOf(trial.row().parent().getAsInt()) : "",
            brackets.of(trial.row().trial()).orElse("")));
  }

  private static Optional<Dimension> dimension(RunRecord run, String name) {
    return run.job().flatMap(job -> Optional.ofNullable(job.search().space().get(name)));
  }

  private static String metric(Double number) {
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf" : "-inf"; // as pandas reads them
    }
    return number.toString();
  }

  private static String text(String text) {
    return ConfigurationCells.unexecuted(text);
  }

  private static String line(List<String> cells) {
    return cells.stream().map(TrialsCsv::quoted).collect(Collectors.joining(",")) + "\r\n";
  }

  private static String quoted(String cell) {
    return cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')
        ? '"' + cell.replace("\"", "\"\"") + '"'
        : cell;
  }
}
