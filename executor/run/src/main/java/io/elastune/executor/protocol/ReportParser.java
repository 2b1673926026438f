package io.elastune.executor.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses the report lines of trials. */
public final class ReportParser {
  private static final JsonMapper READER =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  private ReportParser() {}

  /** Parses a line of standard output; empty for ordinary log output. */
  public static Optional<ReportLine> parse(String line) {
    return line.startsWith(ReportLine.PREFIX) ? Optional.of(read(line)) : Optional.empty();
  }

  private static ReportLine read(String line) {
    try {
      return report(READER.readTree(line.substring(ReportLine.PREFIX.length())));
    } catch (JacksonException e) {
      return unreadable(e.getOriginalMessage(), line);
    } catch (InvalidReportException e) {
      return unreadable(e.problem, line);
    }
  }

  private static ReportLine report(JsonNode root) throws InvalidReportException {
    JsonNode unit = root.path("unit");
    if (!unit.isIntegralNumber() || !unit.canConvertToInt()) {
      throw new InvalidReportException("\"unit\" is not an integer");
    }
    JsonNode metrics = root.path("metrics");
    if (!metrics.isObject()) {
      throw new InvalidReportException("\"metrics\" is not an object");
    }
    Map<String, Double> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> metric : metrics.properties()) {
      values.put(metric.getKey(), number(metric.getKey(), metric.getValue()));
    }
    JsonNode done = root.path("done");
    if (!done.isMissingNode() && !done.isBoolean()) {
      throw new InvalidReportException("\"done\" is not true or false");
    }
    return new ReportLine.Report(unit.intValue(), values, done.asBoolean(false));
  }

  private static double number(String name, JsonNode value) throws InvalidReportException {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    String word = value.isNull() ? "NaN" : value.stringValue("");
    return switch (word) {
      case "NaN", "nan" -> Double.NaN;
      case "Infinity", "inf" -> Double.POSITIVE_INFINITY;
      case "-Infinity", "-inf" -> Double.NEGATIVE_INFINITY;
      default -> throw new InvalidReportException("the metric " + name + " is not a number");
    };
  }

  private static ReportLine unreadable(String problem, String line) {
    return new ReportLine.InvalidReport(problem + ": " + MessageText.singleLine(line));
  }

  /** Describes what is wrong with a line that is valid JSON but not a valid report. */
  private static final class InvalidReportException extends Exception {
    private static final long serialVersionUID = 1;
    private final String problem;

    InvalidReportException(String problem) {
      super(problem);
      this.problem = problem;
    }
  }
}
