package io.elastune.executor.protocol;

import io.elastune.core.job.Metric;
import io.elastune.core.job.MetricPattern;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Finds the metric of the search in the output of a program that makes no reports: by the pattern
 * of the metric, or else in the last line that ends with a JSON object with the metric. An object
 * may also take several lines, the first and the last of which are its braces.
 */
public final class OutputMetric {
  private static final Pattern NUMBER =
      Pattern.compile(
          "\\s*[\"']?([+-]?(?:\\d++(?:\\.\\d*+)?|\\.\\d++)(?:e[+-]?\\d++)?"
              + "|[+-]?(?:nan|inf(?:inity)?)(?![a-z])).*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** What follows a number that may have another value: {@code 1,234.5} or {@code 0,91}. */
  private static final Pattern SEPARATOR =
      Pattern.compile("\\s*[\"']?[+-]?(?:\\d++[,_']\\d|\\d++\\.\\d++\\.\\d).*", Pattern.DOTALL);

  /** The longest JSON object of several lines, and the most beginnings of one in a line. */
  private static final int MOST_CHARACTERS = 1 << 16;

  private static final int MOST_BEGINNINGS = 16;

  private final Metric metric;
  private final Optional<MetricPattern> pattern;
  private State state = State.NONE;

  /**
   * What was found so far. A new controller continues with it.
   *
   * @param last the last value that the pattern found, and {@code best} the best one
   * @param wrong the last text that it found instead of a number; empty if there is none
   * @param line the last line that is a JSON object with the metric; empty if there is none
   * @param other the last line that is another JSON object; empty if there is none
   * @param open the lines of a JSON object that has not ended; empty if there is none
   * @param skipped the lines that were not searched; empty if there are none
   */
  public record State(
      Optional<Double> last,
      Optional<Double> best,
      String wrong,
      String line,
      String other,
      Optional<String> open,
      Optional<Skipped> skipped) {
    /** Nothing. */
    public static final State NONE =
        new State(Optional.empty(), Optional.empty(), "", Optional.empty());

    private State(
        Optional<Double> last, Optional<Double> best, String wrong, Optional<Skipped> skipped) {
      this(last, best, wrong, "", "", Optional.empty(), skipped);
    }

    private State withOpen(Optional<String> lines) {
      return new State(last, best, wrong, line, other, lines, skipped);
    }
  }

  /**
   * Lines that the pattern was not searched in, because that takes too many steps.
   *
   * @param lines their number
   * @param first the beginning of the first one
   */
  public record Skipped(int lines, String first) {}

  /** Creates the finder of a metric. */
  public OutputMetric(Metric metric) {
    this.metric = metric;
    pattern = metric.pattern().map(MetricPattern::compile);
  }

  /** Reads a line of output of rank 0. */
  public synchronized void line(String line) {
    if (metric.from().isPresent()) {
      return;
    }
    String text = MessageText.withoutEscapes(line);
    if (pattern.isPresent()) {
      pattern.get().find(text).ifPresentOrElse(all -> all.forEach(this::found), () -> skip(text));
    } else {
      json(text.stripTrailing());
    }
  }

  private void skip(String text) {
    Skipped skipped =
        state
            .skipped
            .map(before -> new Skipped(before.lines + 1, before.first))
            .orElseGet(() -> new Skipped(1, MessageText.singleLine(text)));
    state = new State(state.last, state.best, state.wrong, Optional.of(skipped));
  }

  private void found(String group) {
    OptionalDouble value = number(group);
    if (value.isEmpty()) {
      String wrong = MessageText.singleLine(group);
      state =
          SEPARATOR.matcher(group).matches()
              ? new State(Optional.empty(), Optional.empty(), wrong, state.skipped)
              : new State(state.last, state.best, wrong, state.skipped);
      return;
    }
    double found = value.getAsDouble();
    boolean better = state.best.isEmpty() || metric.isBetter(found, state.best.get());
    state =
        new State(
            Optional.of(found),
            better ? Optional.of(found) : state.best,
            state.wrong,
            state.skipped);
  }

  private void json(String text) {
    if (text.equals("{")) {
      state = state.withOpen(Optional.of(text));
    } else if (state.open.isPresent()) {
      String lines = state.open.get() + "\n" + text;
      boolean isOver = text.startsWith("}") || lines.length() > MOST_CHARACTERS;
      state = state.withOpen(isOver ? Optional.empty() : Optional.of(lines));
      if (isOver && object(lines)) {
        return;
      }
    }
    if (text.endsWith("}")) {
      int begin = text.indexOf('{');
      for (int i = 0; begin >= 0 && i < MOST_BEGINNINGS && !object(text.substring(begin)); i++) {
        begin = text.indexOf('{', begin + 1);
      }
    }
  }

  /** Returns whether a text is a JSON object. */
  private boolean object(String text) {
    Optional<Map<String, Double>> found = numbers(text);
    if (found.isPresent()) {
      state =
          found.get().containsKey(metric.name())
              ? new State(state.last, state.best, "", text, state.other, state.open, state.skipped)
              : new State(state.last, state.best, "", state.line, text, state.open, state.skipped);
    }
    return found.isPresent();
  }

  private static OptionalDouble number(String text) {
    Matcher matcher = NUMBER.matcher(text);
    if (!matcher.matches() || SEPARATOR.matcher(text).matches()) {
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

  /** Returns the metrics of a file: of a JSON object, or of the last line with the metric. */
  Optional<Map<String, Double>> ofFile(String text) {
    String json = withoutMark(text);
    Optional<Map<String, Double>> whole = numbers(json);
    return whole.isPresent()
        ? whole
        : json.lines()
            .filter(line -> line.contains("{"))
            .flatMap(line -> numbers(line).stream())
            .filter(found -> found.containsKey(metric.name()))
            .reduce((first, second) -> second);
  }

  /** Returns what a file without the metric has instead. */
  String missingInFile(String text) {
    String json = withoutMark(text);
    if (json.isBlank()) {
      return " is empty";
    }
    Optional<JsonNode> object =
        ReportParser.object(json)
            .or(
                () ->
                    json.lines()
                        .flatMap(line -> ReportParser.object(line).stream())
                        .reduce((first, second) -> second));
    return object
        .map(found -> " has no number " + metric.name() + instead(found))
        .orElse(" is no JSON object");
  }

  /** Programs on Windows write a byte order mark. */
  private static String withoutMark(String text) {
    return text.startsWith("\ufeff") ? text.substring(1) : text;
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
              + skipped().map(lines -> "; " + lines).orElse("")
          : "search.metric.pattern finds no number, but \""
              + state.wrong
              + "\""
              + (SEPARATOR.matcher(state.wrong).matches()
                  ? "; write numbers with a decimal point and no other separators"
                  : "");
    }
    return "no JSON line with "
        + metric.name()
        + ReportParser.object(state.other).map(this::instead).orElse("");
  }

  /** Returns which lines the pattern was not searched in; empty if there are none. */
  synchronized Optional<String> skipped() {
    return state.skipped.map(
        skipped ->
            (skipped.lines == 1 ? "1 line was" : skipped.lines + " lines were")
                + " not searched, because search.metric.pattern takes too many steps there;"
                + " without lookahead, lookbehind and back references it does not: \""
                + skipped.first
                + "\"");
  }

  private String instead(JsonNode object) {
    MetricValues values = MetricValues.of(object);
    String kind = values.omitted().get(metric.name());
    if (kind != null) {
      return ": it is " + kind;
    }
    List<String> names = values.numbers().keySet().stream().sorted().limit(8).toList();
    return names.isEmpty() ? "" : "; the last JSON object has " + String.join(", ", names);
  }
}
