package io.elastune.core.config;

import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.job.Metric;
import io.elastune.core.search.LearningCurves;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoublePredicate;

/**
 * Reads learning curves from a CSV file with the columns {@code trial,unit,metric,seconds}
 * (docs/searches.md, "Curves").
 */
public final class CurvesFile {
  private static final String TRIAL = "trial";
  private static final String UNIT = "unit";
  private static final String METRIC = "metric";
  private static final String SECONDS = "seconds";
  private static final List<String> COLUMNS = List.of(TRIAL, UNIT, METRIC, SECONDS);

  private final ProblemList problems = new ProblemList();
  private final SortedMap<Integer, NavigableMap<Integer, LearningCurves.Point>> points =
      new TreeMap<>();

  private CurvesFile() {}

  /**
   * Returns the curves, or all problems of the file.
   *
   * @param fileName file name used in messages
   * @param goal whether the metric is maximized or minimized
   */
  public static ParseResult<LearningCurves> parse(String fileName, String text, Metric.Goal goal) {
    CurvesFile file = new CurvesFile();
    Optional<List<CsvRows.Row>> rows = CsvRows.read(fileName, "", text, file.problems);
    rows.ifPresent(all -> file.read(fileName, all));
    return file.problems.outcome(Optional.of(new LearningCurves(goal, file.points)));
  }

  private void read(String fileName, List<CsvRows.Row> rows) {
    if (rows.size() < 2) {
      problems.add(
          new SourcePosition(fileName, 1),
          "",
          "has no curves",
          "write the header " + String.join(",", COLUMNS) + " and a line for each report");
      return;
    }
    List<String> header =
        rows.get(0).cells().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    if (!hasAllColumns(rows.get(0), header)) {
      return;
    }
    for (CsvRows.Row row : rows.subList(1, rows.size())) {
      add(row, header);
    }
  }

  private boolean hasAllColumns(CsvRows.Row row, List<String> header) {
    List<String> wrong = new ArrayList<>();
    header.stream().filter(name -> !COLUMNS.contains(name)).forEach(wrong::add);
    COLUMNS.stream()
        .filter(name -> !name.equals(SECONDS) && !header.contains(name))
        .forEach(wrong::add);
    boolean repeated = header.stream().distinct().count() < header.size();
    if (!wrong.isEmpty() || repeated) {
      problems.add(
          row.place(),
          "",
          "the header must be " + String.join(",", COLUMNS) + ", is " + String.join(",", header),
          "the column seconds can be left out");
      return false;
    }
    return true;
  }

  private void add(CsvRows.Row row, List<String> header) {
    int before = problems.count();
    double trial = number(row, header, TRIAL, CurvesFile::isCount, "a whole number from 1");
    double unit = number(row, header, UNIT, CurvesFile::isCount, "a whole number from 1");
    double metric =
        cell(row, header, METRIC).isEmpty() || cell(row, header, METRIC).equalsIgnoreCase("nan")
            ? Double.NaN
            : number(row, header, METRIC, any -> true, "a number, NaN or empty");
    OptionalDouble seconds =
        cell(row, header, SECONDS).isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(
                number(
                    row,
                    header,
                    SECONDS,
                    value -> value > 0 && Double.isFinite(value),
                    "a number above 0, or empty"));
    if (problems.count() > before) {
      return;
    }
    boolean isRepeated =
        points
                .computeIfAbsent((int) trial, any -> new TreeMap<>())
                .put((int) unit, new LearningCurves.Point(metric, seconds))
            != null;
    if (isRepeated) {
      problems.add(
          row.place(), UNIT, "trial " + (int) trial + " has two rows for unit " + (int) unit, "");
    }
  }

  private static boolean isCount(double value) {
    return value >= 1 && value <= Integer.MAX_VALUE && value == Math.rint(value);
  }

  private static String cell(CsvRows.Row row, List<String> header, String column) {
    int index = header.indexOf(column);
    return index < 0 || index >= row.cells().size() ? "" : row.cells().get(index);
  }

  private double number(
      CsvRows.Row row,
      List<String> header,
      String column,
      DoublePredicate isValid,
      String expected) {
    String text = cell(row, header, column);
    try {
      double value = Double.parseDouble(text);
      if (isValid.test(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    problems.add(row.place(), column, "must be " + expected + ", is \"" + text + "\"", "");
    return Double.NaN;
  }
}
