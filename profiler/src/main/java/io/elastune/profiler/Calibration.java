package io.elastune.profiler;

import io.elastune.profiler.history.PastPrediction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * How often actual times and costs were below their predicted percentiles.
 *
 * @param used the predictions of the runs that completed
 * @param incomplete predictions of other runs, which have no actual time
 * @param rows time and cost by percentile; without intervals if no prediction was used
 */
public record Calibration(List<PastPrediction> used, int incomplete, List<Row> rows) {
  private static final double ROUNDING = 1e-9;

  /** The predicted quantity. */
  public enum Quantity {
    TIME,
    COST
  }

  /**
   * One percentile of one quantity.
   *
   * @param percentile as a fraction: 0.5 or 0.95
   * @param below actual values that are at most the predicted percentile
   * @param count all actual values
   * @param low lower end of the interval that contains the true share with a confidence of 95 %
   * @param high upper end of that interval
   */
  public record Row(
      Quantity quantity, double percentile, int below, int count, double low, double high) {
    /** Returns the share of the actual values below; not a number without values. */
    public double share() {
      return count == 0 ? Double.NaN : (double) below / count;
    }

    /** Returns whether the actual values do not contradict the percentile. */
    public boolean isConsistent() {
      return low <= percentile && percentile <= high;
    }
  }

  public Calibration {
    used = List.copyOf(used);
    rows = List.copyOf(rows);
  }

  /** Returns the calibration of {@code predictions}. */
  public static Calibration of(List<PastPrediction> predictions) {
    List<PastPrediction> used = predictions.stream().filter(p -> p.actualS().isPresent()).toList();
    List<Row> rows = new ArrayList<>();
    rows.add(row(used, Quantity.TIME, 0.5));
    rows.add(row(used, Quantity.TIME, 0.95));
    rows.add(row(used, Quantity.COST, 0.5));
    rows.add(row(used, Quantity.COST, 0.95));
    return new Calibration(used, predictions.size() - used.size(), rows);
  }

  private static Row row(List<PastPrediction> used, Quantity quantity, double percentile) {
    int below =
        (int)
            used.stream()
                .filter(
                    one -> {
                      PastPrediction.Figures figures = figures(one, quantity);
                      double limit = percentile > 0.5 ? figures.p95() : figures.p50();
                      return actual(one, quantity) <= limit * (1 + ROUNDING);
                    })
                .count();
    if (used.isEmpty()) {
      return new Row(quantity, percentile, 0, 0, 0, 1);
    }
    NumberEstimate share = NumberEstimate.fraction(below, used.size());
    return new Row(quantity, percentile, below, used.size(), share.low(), share.high());
  }

  private static PastPrediction.Figures figures(PastPrediction one, Quantity quantity) {
    return quantity == Quantity.TIME ? one.completionS() : one.costUsd();
  }

  private static double actual(PastPrediction one, Quantity quantity) {
    return quantity == Quantity.TIME ? one.actualS().orElse(0) : one.actualUsd();
  }

  /**
   * Returns the median of actual values divided by their predicted means; not a number without
   * values.
   */
  public double medianRatio(Quantity quantity) {
    return median(quantity, one -> actual(one, quantity) / figures(one, quantity).mean());
  }

  /** Returns the median of the relative errors of the predicted means. */
  public double medianError(Quantity quantity) {
    return median(
        quantity, one -> Math.abs(actual(one, quantity) / figures(one, quantity).mean() - 1));
  }

  private double median(Quantity quantity, ToDoubleFunction<PastPrediction> value) {
    double[] values =
        used.stream().filter(one -> figures(one, quantity).mean() > 0).mapToDouble(value).toArray();
    return StatUtils.percentile(values, 50);
  }
}
