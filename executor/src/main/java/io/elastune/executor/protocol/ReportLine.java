package io.elastune.executor.protocol;

import java.util.Map;

/**
 * A line of rank 0's standard output that begins with {@code ELASTUNE} and a blank.
 *
 * <p>Metrics are numbers; what is not one is written {@code NaN}, {@code Infinity}, {@code
 * -Infinity}, as the same in quotes, or as {@code null}, which counts as not a number.
 */
public sealed interface ReportLine {
  /** What such a line begins with. */
  String START = "ELASTUNE ";

  /**
   * A report.
   *
   * @param unit as the trial says: whether it may be is for others to judge
   */
  record Report(int unit, Map<String, Double> metrics) implements ReportLine {
    public Report {
      metrics = Map.copyOf(metrics);
    }
  }

  /**
   * A line that cannot be read as a report: a protocol fault.
   *
   * @param problem what is wrong with it, with its beginning
   */
  record Unreadable(String problem) implements ReportLine {}
}
