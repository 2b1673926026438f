package io.elastune.executor.protocol;

import java.util.Map;

/**
 * A parsed report of rank 0: {@code ELASTUNE}, a space and a JSON object.
 *
 * <p>Metrics are numbers. Special values are written as {@code NaN}, {@code Infinity} or {@code
 * -Infinity}, with or without quotes; {@code null} is read as NaN.
 */
public sealed interface ReportLine {
  /** The prefix of a report. */
  String PREFIX = "ELASTUNE ";

  /** How a report begins that is not at the start of its line. */
  String START = PREFIX + "{";

  /** The length of a line from which its rest is lost: that of lines in the log. */
  int MAX_BYTES = 64 * 1024;

  /**
   * A valid report.
   *
   * @param unit the unit that the trial reported; whether it is plausible is not checked here
   * @param done whether the trial needs no more training
   * @param omitted the metrics that are not numbers, with what they are instead
   */
  record Report(int unit, Map<String, Double> metrics, boolean done, Map<String, String> omitted)
      implements ReportLine {
    public Report {
      metrics = Map.copyOf(metrics);
      omitted = Map.copyOf(omitted);
    }

    /** Creates a report in which all metrics are numbers. */
    public Report(int unit, Map<String, Double> metrics, boolean done) {
      this(unit, metrics, done, Map.of());
    }
  }

  /**
   * The workers of a trial with {@code keep_alive} wait for its next units.
   *
   * @param unit the last unit that they have trained
   */
  record Waiting(int unit) implements ReportLine {}

  /**
   * A line with the prefix that is not a valid report: a violation of the trial protocol.
   *
   * @param problem what is wrong, followed by the start of the line
   */
  record InvalidReport(String problem) implements ReportLine {}
}
