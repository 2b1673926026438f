package io.elastune.executor.engine;

import io.elastune.core.job.Metric;
import java.util.Map;
import java.util.Optional;

/**
 * The report of a trial with the best value of the search's metric, whose checkpoint is kept.
 *
 * @param unit the unit that it reports
 * @param value the value
 */
public record BestReport(int unit, double value) {
  /**
   * Returns the report of {@code unit} if it is better than the best one before; empty if it is
   * not, or if its value is missing or not finite.
   *
   * @param metrics all values of the report
   */
  public static Optional<BestReport> improving(
      Optional<BestReport> before, Metric metric, int unit, Map<String, Double> metrics) {
    double value = metrics.getOrDefault(metric.name(), Double.NaN);
    return Double.isFinite(value)
            && (before.isEmpty() || metric.isBetter(value, before.get().value()))
        ? Optional.of(new BestReport(unit, value))
        : Optional.empty();
  }
}
