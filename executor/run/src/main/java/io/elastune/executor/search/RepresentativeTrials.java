package io.elastune.executor.search;

import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Orders the trials of a job such that the hyperparameters of the first few are distributed as
 * those of all: a profiling run that measures only these has nearly the mean duration of all trials
 * and the whole range of each hyperparameter. Each trial minimizes the energy distance between
 * those chosen so far and all others (support points: Mak and Joseph, Annals of Statistics 46,
 * 2018; energy distance: Szekely and Rizzo, J. Statistical Planning and Inference 143, 2013).
 */
final class RepresentativeTrials {
  /** Among so many trials the first ones are chosen; of more, every second, third, ... */
  private static final int MOST_COMPARED = 400;

  /** Profiling runs seldom measure more trials. */
  private static final int MOST_CHOSEN = 64;

  private RepresentativeTrials() {}

  /**
   * Returns numbers of trials, each one once, the most representative first.
   *
   * @param configurations returns the hyperparameters of a trial
   */
  static List<Integer> order(
      Map<String, Dimension> space, int trials, IntFunction<Map<String, Object>> configurations) {
    int step = Math.max(1, (trials + MOST_COMPARED - 1) / MOST_COMPARED);
    List<Integer> numbers =
        IntStream.iterate(1, trial -> trial <= trials, trial -> trial + step).boxed().toList();
    double[][] points = points(space, numbers.stream().map(configurations::apply).toList());
    List<Integer> order = new ArrayList<>();
    for (int index : chosen(points)) {
      order.add(numbers.get(index));
    }
    TreeSet<Integer> others = new TreeSet<>(numbers);
    order.forEach(others::remove);
    order.addAll(others);
    return List.copyOf(order);
  }

  private static List<Integer> chosen(double[][] points) {
    double[] toAll = new double[points.length];
    for (int i = 0; i < points.length; i++) {
      for (double[] other : points) {
        toAll[i] += distance(points[i], other) / points.length;
      }
    }
    List<Integer> chosen = new ArrayList<>();
    double[] toChosen = new double[points.length];
    double sumToAll = 0;
    double sumBetween = 0;
    while (chosen.size() < Math.min(MOST_CHOSEN, points.length)) {
      int count = chosen.size() + 1;
      int best = -1;
      double least = Double.POSITIVE_INFINITY;
      for (int i = 0; i < points.length; i++) {
        double between = sumBetween + 2 * toChosen[i];
        double energy = 2 * (sumToAll + toAll[i]) / count - between / ((double) count * count);
        if (energy < least && !chosen.contains(i)) {
          least = energy;
          best = i;
        }
      }
      sumToAll += toAll[best];
      sumBetween += 2 * toChosen[best];
      for (int i = 0; i < points.length; i++) {
        toChosen[i] += distance(points[i], points[best]);
      }
      chosen.add(best);
    }
    return chosen;
  }

  private static double distance(double[] left, double[] right) {
    double sum = 0;
    for (int i = 0; i < left.length; i++) {
      sum += (left[i] - right[i]) * (left[i] - right[i]);
    }
    return Math.sqrt(sum);
  }

  /**
   * Returns one row per configuration: numbers with variance 1, and values of choices as 0 or 1.
   */
  private static double[][] points(
      Map<String, Dimension> space, List<Map<String, Object>> configs) {
    List<double[]> columns = new ArrayList<>();
    space.forEach(
        (name, dimension) -> {
          List<Object> values = new ArrayList<>();
          configs.forEach(config -> values.add(config.getOrDefault(name, Absent.VALUE)));
          boolean numbers = values.stream().anyMatch(Number.class::isInstance);
          if (numbers && !(dimension instanceof Dimension.Choice)) {
            columns.add(numbers(values, isLogarithmic(dimension)));
          } else {
            columns.addAll(indicators(values));
          }
        });
    double[][] points = new double[configs.size()][columns.size()];
    for (int column = 0; column < columns.size(); column++) {
      for (int row = 0; row < points.length; row++) {
        points[row][column] = columns.get(column)[row];
      }
    }
    return points;
  }

  /** Stands for a hyperparameter whose condition is not met. */
  private enum Absent {
    VALUE
  }

  private static boolean isLogarithmic(Dimension dimension) {
    return dimension instanceof Dimension.LogUniform
        || dimension instanceof Dimension.LogNormal
        || (dimension instanceof Dimension.Int whole && whole.log());
  }

  /** Returns the numbers with mean 0 and variance 1; absent ones have the mean. */
  private static double[] numbers(List<Object> values, boolean logarithmic) {
    double[] known =
        values.stream()
            .filter(Number.class::isInstance)
            .mapToDouble(value -> scaled((Number) value, logarithmic))
            .toArray();
    double mean = Arrays.stream(known).average().orElse(0);
    double variance = Arrays.stream(known).map(x -> (x - mean) * (x - mean)).average().orElse(0);
    double deviation = variance > 0 ? Math.sqrt(variance) : 1;
    return values.stream()
        .mapToDouble(
            value ->
                value instanceof Number number
                    ? (scaled(number, logarithmic) - mean) / deviation
                    : 0)
        .toArray();
  }

  private static double scaled(Number number, boolean logarithmic) {
    double value = number.doubleValue();
    return logarithmic ? Math.log(Math.max(Double.MIN_NORMAL, value)) : value;
  }

  private static List<double[]> indicators(List<Object> values) {
    Map<String, double[]> byValue = new HashMap<>();
    List<double[]> columns = new ArrayList<>();
    for (int row = 0; row < values.size(); row++) {
      String value = String.valueOf(values.get(row));
      if (!byValue.containsKey(value)) {
        double[] column = new double[values.size()];
        byValue.put(value, column);
        columns.add(column);
      }
      byValue.get(value)[row] = 1;
    }
    return columns;
  }
}
