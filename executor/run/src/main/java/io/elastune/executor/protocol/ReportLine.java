package io.elastune.executor.protocol;

import java.util.Map;

/**
 * A parsed line of rank 0's standard output that starts with {@code ELASTUNE} and a space.
 *
 * <p>Metrics are numbers. Special values are written as {@code NaN}, {@code Infinity} or {@code
 * -Infinity}, with or without quotes; {@code null} is read as NaN.
 */
public sealed interface ReportLine {
  /** The prefix of a report line. */
  String PREFIX = "ELASTUNE ";

  /**
   * A valid report.
   *
   * @param unit the unit that the trial reported; whether it is plausible is not checked here
   * @param done whether the trial needs no more training
   */
  record Report(int unit, Map<String, Double> metrics, boolean done) implements ReportLine {
    public Report {
      metrics = Map.copyOf(metrics);
    }
  }

  /**
   * A line with the prefix that is not a valid report: a violation of the trial protocol.
   *
   * @param problem what is wrong, followed by the start of the line
   */
  record InvalidReport(String problem) implements ReportLine {}
}
