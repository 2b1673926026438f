package io.elastune.executor.protocol;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Parses the reports of trials. */
public final class ReportParser {
  /** Where the text ends within a number or word, that is an error at its start. */
  private static final int LONGEST_WORD = 32;

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  /** The whole text is one value. */
  private static final ObjectReader WHOLE =
      READER.with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private ReportParser() {}

  /**
   * A report, or what is wrong with it.
   *
   * @param length how many characters it takes; text after them is no part of it
   * @param unfinished whether the text ends before the report does
   */
  record Parsed(ReportLine line, int length, boolean unfinished) {}

  /** Parses the text that begins with the prefix; empty for ordinary log output. */
  public static Optional<ReportLine> parse(String line) {
    return line.startsWith(ReportLine.PREFIX)
        ? Optional.of(parseStart(line).line())
        : Optional.empty();
  }

  /** Parses the report at the start of a text that begins with the prefix. */
  static Parsed parseStart(String text) {
    String json = text.substring(ReportLine.PREFIX.length());
    try (JsonParser parser = READER.createParser(json)) {
      JsonNode root = parser.readValueAsTree();
      int end = (int) parser.currentLocation().getCharOffset();
      if (root == null || !root.isObject()) {
        throw new InvalidReportException("no JSON object follows");
      }
      return new Parsed(report(root), ReportLine.PREFIX.length() + end, false);
    } catch (JacksonException e) {
      String problem = e.getOriginalMessage().replaceFirst(" for `\\w+`: not allowed when .*", "");
      return unreadable(problem, text, isAtEnd(e, json));
    } catch (InvalidReportException e) {
      return unreadable(e.problem, text, false);
    }
  }

  /** Returns a text as a JSON object; empty if it is none. */
  static Optional<JsonNode> object(String text) {
    try {
      return Optional.of(WHOLE.readTree(text)).filter(JsonNode::isObject);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static ReportLine report(JsonNode root) throws InvalidReportException {
    JsonNode waiting = root.path("waiting");
    if (waiting.isIntegralNumber() && waiting.canConvertToInt()) {
      return new ReportLine.Waiting(waiting.intValue());
    }
    JsonNode unit = root.path("unit");
    if (!unit.isIntegralNumber() || !unit.canConvertToInt()) {
      throw new InvalidReportException("\"unit\" is not an integer");
    }
    JsonNode metrics = root.path("metrics");
    if (!metrics.isObject()) {
      throw new InvalidReportException("\"metrics\" is not an object");
    }
    JsonNode done = root.path("done");
    if (!done.isMissingNode() && !done.isBoolean()) {
      throw new InvalidReportException("\"done\" is not true or false");
    }
    MetricValues values = MetricValues.of(metrics);
    return new ReportLine.Report(
        unit.intValue(), values.numbers(), done.asBoolean(false), values.omitted());
  }

  /** Whether an object has no error but that its text ends before it. */
  private static boolean isAtEnd(JacksonException error, String json) {
    return error instanceof UnexpectedEndOfInputException
        || (error.getLocation() != null
            && error.getLocation().getCharOffset() >= json.length() - LONGEST_WORD);
  }

  private static Parsed unreadable(String problem, String line, boolean unfinished) {
    String found = problem + ": " + MessageText.singleLine(line);
    return new Parsed(new ReportLine.InvalidReport(found), ReportLine.PREFIX.length(), unfinished);
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
