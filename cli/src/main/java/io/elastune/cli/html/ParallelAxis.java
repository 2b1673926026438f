package io.elastune.cli.html;

import io.elastune.cli.inspect.ValueFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One axis of a parallel-coordinates chart: positions of values from 0 (bottom) to 1 (top), and
 * ticks.
 *
 * @param positions the position of every value that occurs
 * @param ticks labels by position
 */
record ParallelAxis(String name, Map<Object, Double> positions, Map<Double, String> ticks) {
  private static final int MOST_TICKS = 12;

  /**
   * Returns the axis for some values. It is numeric if all of them are numbers; otherwise every
   * distinct value has a position of its own.
   *
   * @param logarithmic whether a numeric axis has a logarithmic scale; ignored unless all values
   *     are above 0
   */
  static ParallelAxis of(String name, Collection<?> values, boolean logarithmic) {
    boolean numeric = !values.isEmpty() && values.stream().allMatch(Number.class::isInstance);
    return numeric
        ? numeric(name, values.stream().map(Number.class::cast).toList(), logarithmic)
        : categorical(name, values);
  }

  private static ParallelAxis numeric(String name, List<Number> values, boolean logarithmic) {
    boolean log = logarithmic && values.stream().allMatch(value -> value.doubleValue() > 0);
    double low = values.stream().mapToDouble(value -> scaled(value, log)).min().orElse(0);
    double high = values.stream().mapToDouble(value -> scaled(value, log)).max().orElse(1);
    Map<Object, Double> positions = new LinkedHashMap<>();
    values.forEach(value -> positions.put(value, share(scaled(value, log), low, high)));
    Map<Double, String> ticks = new TreeMap<>();
    for (double at : high > low ? new double[] {0, 0.25, 0.5, 0.75, 1} : new double[] {0.5}) {
      double value = low + (high > low ? at : 0) * (high - low);
      ticks.put(at, ValueFormat.shortText(log ? Math.pow(10, value) : value));
    }
    return new ParallelAxis(name + (log ? " (log)" : ""), positions, ticks);
  }

  private static double scaled(Number value, boolean log) {
    return log ? Math.log10(value.doubleValue()) : value.doubleValue();
  }

  private static double share(double value, double low, double high) {
    return high > low ? (value - low) / (high - low) : 0.5;
  }

  private static ParallelAxis categorical(String name, Collection<?> values) {
    Map<String, List<Object>> byText =
        values.stream()
            .collect(
                Collectors.groupingBy(
                    ValueFormat::value, TreeMap::new, Collectors.toCollection(ArrayList::new)));
    Map<Object, Double> positions = new LinkedHashMap<>();
    Map<Double, String> ticks = new TreeMap<>();
    int index = 0;
    for (Map.Entry<String, List<Object>> entry : byText.entrySet()) {
      double at = share(index++, 0, byText.size() - 1.0);
      entry.getValue().forEach(value -> positions.put(value, at));
      if (byText.size() <= MOST_TICKS) {
        ticks.put(at, entry.getKey());
      }
    }
    return new ParallelAxis(name, positions, ticks);
  }
}
