package io.elastune.executor.protocol;

import io.elastune.core.job.Metric;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Finds the metric of the search in the output of a program that makes no reports: by the pattern
 * of the metric, or else in the last line that is a JSON object with the metric.
 */
public final class OutputMetric {
  private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]");
  private static final Pattern NUMBER =
      Pattern.compile(
          "\\s*[\"']?([+-]?(?:\\d++(?:\\.\\d*+)?|\\.\\d++)(?:e[+-]?\\d++)?"
              + "|[+-]?(?:nan|inf(?:inity)?)(?![a-z])).*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final Metric metric;
  private final Optional<Pattern> pattern;
  private State state = State.NONE;

  /**
   * What was found so far. A new controller continues with it.
   *
   * @param last the last value that the pattern found, and {@code best} the best one
   * @param wrong the last text that it found instead of a number; empty if there is none
   * @param line the last line that is a JSON object with the metric; empty if there is none
   * @param other the last line that is another JSON object; empty if there is none
   */
  public record State(
      Optional<Double> last, Optional<Double> best, String wrong, String line, String other) {
    /** Nothing. */
    public static final State NONE = new State(Optional.empty(), Optional.empty(), "", "", "");
  }

  /** Creates the finder of a metric. */
  public OutputMetric(Metric metric) {
    this.metric = metric;
    pattern = metric.pattern().map(Pattern::compile);
  }

  /** Reads a line of output of rank 0. */
  public synchronized void line(String line) {
    if (metric.from().isPresent()) {
      return;
    }
    String text = line.indexOf('\u001b') < 0 ? line : ESCAPES.matcher(line).replaceAll("");
    if (pattern.isPresent()) {
      Matcher matcher = pattern.get().matcher(text);
      while (matcher.find()) {
        String group = matcher.group(1);
        found(group == null ? "" : group);
      }
    } else {
      json(text.strip());
    }
  }

  private void found(String group) {
    OptionalDouble value = number(group);
    if (value.isEmpty()) {
      state = new State(state.last, state.best, MessageText.singleLine(group), "", "");
      return;
    }
    double found = value.getAsDouble();
    boolean better = state.best.isEmpty() || metric.isBetter(found, state.best.get());
    state =
        new State(
            Optional.of(found), better ? Optional.of(found) : state.best, state.wrong, "", "");
  }

  private void json(String text) {
    if (!text.startsWith("{") || !text.endsWith("}")) {
      return;
    }
    ReportParser.object(text)
        .map(MetricValues::of)
        .ifPresent(
            values ->
                state =
                    values.numbers().containsKey(metric.name())
                        ? new State(state.last, state.best, "", text, state.other)
                        : new State(state.last, state.best, "", state.line, text));
  }

  private static OptionalDouble number(String text) {
    Matcher matcher = NUMBER.matcher(text);
    if (!matcher.matches()) {
      return OptionalDouble.empty();
    }
    String number = matcher.group(1).toLowerCase(Locale.ROOT);
    String plain = number.replaceFirst("^[+-]", "");
    double sign = number.startsWith("-") ? -1 : 1;
    if (plain.startsWith("nan")) {
      return OptionalDouble.of(Double.NaN);
    }
    return OptionalDouble.of(
        sign * (plain.startsWith("inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(plain)));
  }

  /** Returns what was found so far. */
  public synchronized State state() {
    return state;
  }

  /** Continues with what was found earlier. */
  public synchronized void restore(State earlier) {
    state = earlier;
  }

  /** Returns the metrics that the pattern has found; empty without a pattern. */
  synchronized Optional<Map<String, Double>> ofPattern() {
    return (metric.takesBest() ? state.best : state.last)
        .map(value -> Map.of(metric.name(), value));
  }

  /** Returns the metrics of the last JSON line with the metric. */
  synchronized Optional<Map<String, Double>> ofLastLine() {
    return numbers(state.line);
  }

  /** Returns the metrics of a file: of a JSON object, or of the last line with one. */
  Optional<Map<String, Double>> ofFile(String text) {
    Optional<Map<String, Double>> whole = numbers(text);
    return whole.isPresent()
        ? whole
        : text.lines()
            .filter(line -> !line.isBlank())
            .reduce((first, second) -> second)
            .flatMap(OutputMetric::numbers);
  }

  private static Optional<Map<String, Double>> numbers(String text) {
    Optional<JsonNode> object = ReportParser.object(text);
    return object.map(found -> MetricValues.of(found).numbers());
  }

  /** Returns what is missing in the output, and what is there instead. */
  synchronized String missing() {
    if (pattern.isPresent()) {
      return state.wrong.isEmpty()
          ? "no line of its output matches search.metric.pattern"
          : "search.metric.pattern finds no number, but \"" + state.wrong + "\"";
    }
    String instead =
        numbers(state.other)
            .map(found -> found.keySet().stream().sorted().limit(8).toList())
            .filter(names -> !names.isEmpty())
            .map(names -> "; its last JSON line has " + String.join(", ", names))
            .orElse("");
    return "no JSON line with " + metric.name() + instead;
  }
}
