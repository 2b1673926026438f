package io.elastune.core.job;

import java.util.List;

/** Moves a value of a hyperparameter to a nearby one, as population based training does. */
public final class DimensionMoves {
  private static final double HALF = 0.5;

  private DimensionMoves() {}

  /**
   * Returns a value near {@code value}. A number is multiplied by one of {@code factors}, then
   * rounded to an allowed value and limited to the range. A choice moves one place down or up in
   * its list; at an end, the value itself stands for the missing neighbor.
   *
   * @param value a value that {@code dimension} allows
   * @param direction a uniformly drawn number from 0, below 1, that selects the factor or neighbor
   */
  public static Object moved(
      Dimension dimension, Object value, double direction, List<Double> factors) {
    double factor = factors.get((int) (direction * factors.size()));
    if (dimension instanceof Dimension.Choice choice) {
      return neighbor(choice.values(), value, direction < HALF);
    }
    if (dimension instanceof Dimension.Int range) {
      return whole(range, ((Number) value).doubleValue() * factor);
    }
    if (dimension instanceof Dimension.Uniform range) {
      return real(range.low(), range.high(), range.step().orElse(0.0), value, factor);
    }
    if (dimension instanceof Dimension.LogUniform range) {
      return real(range.low(), range.high(), range.step().orElse(0.0), value, factor);
    }
    if (dimension instanceof Dimension.Normal normal) {
      return multiple(normal.step().orElse(0.0), value, factor, Long.MIN_VALUE);
    }
    if (dimension instanceof Dimension.LogNormal normal) {
      double moved = multiple(normal.step().orElse(0.0), value, factor, 1);
      return Math.min(Double.MAX_VALUE, Math.max(Double.MIN_NORMAL, moved));
    }
    return value;
  }

  /** Returns the allowed value of a numeric hyperparameter that is nearest to {@code value}. */
  public static Object nearest(Dimension dimension, double value) {
    return moved(dimension, value, 0, List.of(1.0));
  }

  private static Object neighbor(List<Object> values, Object value, boolean down) {
    int index = values.indexOf(value);
    if (index < 0) {
      return value;
    }
    return values.get(Math.max(0, Math.min(values.size() - 1, index + (down ? -1 : 1))));
  }

  private static long whole(Dimension.Int range, double scaled) {
    long step = range.step().orElse(1L);
    double limited = Math.min((double) range.high(), Math.max((double) range.low(), scaled));
    long steps = Math.round((limited - (double) range.low()) / (double) step);
    long most = Long.divideUnsigned(range.high() - range.low(), step); // may exceed a long
    return range.low() + step * (Long.compareUnsigned(steps, most) > 0 ? most : steps);
  }

  private static double real(double low, double high, double step, Object value, double factor) {
    double scaled = Math.min(high, Math.max(low, ((Number) value).doubleValue() * factor));
    return step == 0
        ? scaled
        : Scale.at(low, step, Scale.nearest(low, step, Scale.count(low, high, step), scaled));
  }

  private static double multiple(double step, Object value, double factor, long least) {
    double scaled = ((Number) value).doubleValue() * factor;
    return step == 0 ? scaled : Scale.at(0, step, Math.max(least, Math.round(scaled / step)));
  }
}
