package io.elastune.profiler;

import io.elastune.core.job.Dimension;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.ConfigurationEffect.Term;
import io.elastune.core.random.RandomStreams;
import io.elastune.profiler.SizeFit.ComparedTrial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Fits the logarithm of the unit times of trials to their hyperparameters, by ridge regression
 * (Hoerl and Kennard, Technometrics 12, 1970). Leaving out each trial in turn selects the
 * shrinkage, and shows whether the fit predicts better than the mean of all trials (PRESS: Allen,
 * Technometrics 16, 1974). It counts only if durations that are assigned to other trials are hardly
 * ever explained as well.
 */
final class ConfigurationFit {
  /** The shrinkages among which cross-validation selects, for columns with variance 1. */
  private static final double[] SHRINKAGES = {0.01, 0.1, 1, 10, 100};

  /** Of fewer trials, chance orders one of twenty like any fit. */
  private static final int LEAST_TRIALS = 5;

  /** A fit that explains less is not worth it. */
  private static final double LEAST_EXPLAINED = 0.25;

  /** How often durations are assigned to other trials, to see what chance explains. */
  private static final int PERMUTATIONS = 399;

  /** At most this fraction of them may be explained as well. */
  private static final double SIGNIFICANCE = 0.05;

  private final List<Column> columns;
  private final double[] y;
  private final double noise;

  /** By trial: whether the seconds per unit are a mean of it and others. */
  private final boolean[] counted;

  /** A column of the regression: the values of a term with slope 1, before it is centered. */
  @SuppressWarnings("ArrayRecordComponent") // columns are not compared
  private record Column(Term term, double[] x) {}

  private ConfigurationFit(List<Column> columns, double[] y, double noise, boolean[] counted) {
    this.counted = counted;
    this.columns = columns;
    this.y = y;
    this.noise = noise;
  }

  /**
   * Returns the effect of hyperparameters; none if it does not predict durations.
   *
   * @param sizes the trials with their unit times
   * @param configurations the hyperparameters by trial
   * @param unitCv coefficient of variation of units, which no hyperparameter explains
   */
  static ConfigurationEffect of(
      List<SizeFit> sizes,
      Map<Integer, Map<String, Object>> configurations,
      Map<String, Dimension> space,
      double unitCv) {
    List<Map<String, Object>> configs = new ArrayList<>();
    List<Double> logs = new ArrayList<>();
    List<Boolean> counted = new ArrayList<>();
    double noise = 0;
    for (SizeFit size : sizes) {
      List<ComparedTrial> trials = size.compared();
      for (ComparedTrial trial : trials) {
        Map<String, Object> config = configurations.get(trial.trial());
        if (config != null && trials.size() > 1) {
          configs.add(config);
          logs.add(Math.log(trial.unitS() / size.unitS()));
          counted.add(trial.counted());
          noise += unitCv * unitCv / trial.units();
        }
      }
    }
    if (configs.size() < LEAST_TRIALS) {
      return ConfigurationEffect.NONE;
    }
    List<Column> columns = new ArrayList<>();
    space.forEach((name, dimension) -> columns.addAll(columns(name, dimension, configs)));
    double[] y = logs.stream().mapToDouble(one -> one).toArray();
    boolean[] mean = new boolean[y.length];
    for (int row = 0; row < y.length; row++) {
      mean[row] = counted.get(row);
    }
    return columns.isEmpty()
        ? ConfigurationEffect.NONE
        : new ConfigurationFit(columns, y, noise / y.length, mean).effect();
  }

  private static List<Column> columns(
      String name, Dimension dimension, List<Map<String, Object>> configs) {
    List<Column> columns = new ArrayList<>();
    if (dimension instanceof Dimension.Choice) {
      TreeSet<String> values = new TreeSet<>();
      configs.stream()
          .filter(config -> config.get(name) != null)
          .forEach(config -> values.add(config.get(name).toString()));
      for (String value : values) {
        add(columns, new Term(name, Optional.of(value), false, 0, 0, 1), configs);
      }
      return columns;
    }
    double[] numbers =
        configs.stream()
            .map(config -> config.get(name))
            .filter(value -> value instanceof Number)
            .mapToDouble(value -> ((Number) value).doubleValue())
            .toArray();
    boolean log =
        dimension instanceof Dimension.LogUniform
            || (dimension instanceof Dimension.Int whole && whole.log());
    if (numbers.length > 0 && (!log || StatUtils.min(numbers) > 0)) {
      double low = log ? Math.log(StatUtils.min(numbers)) : StatUtils.min(numbers);
      double high = log ? Math.log(StatUtils.max(numbers)) : StatUtils.max(numbers);
      add(columns, new Term(name, Optional.empty(), log, low, high, 1), configs);
    }
    return columns;
  }

  /** Adds a column unless all trials have the same value. */
  private static void add(List<Column> columns, Term term, List<Map<String, Object>> configs) {
    double[] x = configs.stream().mapToDouble(term::of).toArray();
    if (StatUtils.populationVariance(x) > 0) {
      columns.add(new Column(term, x));
    }
  }

  private ConfigurationEffect effect() {
    RealMatrix design = design();
    List<Ridge> ridges = Arrays.stream(SHRINKAGES).mapToObj(one -> new Ridge(design, one)).toList();
    double[] centered = centered(y);
    double alone = pressOfMean(centered);
    Ridge best =
        ridges.stream()
            .min(Comparator.comparingDouble(ridge -> ridge.press(centered)))
            .orElseThrow();
    double press = best.press(centered);
    double explained = alone > 0 ? 1 - press / alone : 0;
    return explained < LEAST_EXPLAINED || isChance(ridges, centered, press)
        ? ConfigurationEffect.NONE
        : effect(best.slopes(centered), press, explained);
  }

  /**
   * Returns whether the durations of other trials are often explained as well (permutation test:
   * Good, Permutation, Parametric and Bootstrap Tests of Hypotheses, 2005).
   */
  private static boolean isChance(List<Ridge> ridges, double[] centered, double press) {
    RandomGenerator random = RandomStreams.of(0).at("permutations").open();
    double[] permuted = centered.clone();
    int asGood = 1; // the trials as they are
    for (int i = 0; i < PERMUTATIONS; i++) {
      for (int at = permuted.length - 1; at > 0; at--) {
        int other = random.nextInt(at + 1);
        double value = permuted[at];
        permuted[at] = permuted[other];
        permuted[other] = value;
      }
      if (ridges.stream().anyMatch(ridge -> ridge.press(permuted) <= press)) {
        asGood++;
      }
    }
    return asGood > SIGNIFICANCE * (PERMUTATIONS + 1);
  }

  /** The ridge regression with one shrinkage: all but the durations. */
  private static final class Ridge {
    private final RealMatrix design;
    private final RealMatrix toSlopes;

    /** By row: what is left of an error if the trial itself is not left out. */
    private final double[] left;

    Ridge(RealMatrix design, double shrinkage) {
      this.design = design;
      RealMatrix inverse = inverse(design, shrinkage);
      toSlopes = inverse.multiply(design.transpose());
      left = new double[design.getRowDimension()];
      for (int row = 0; row < left.length; row++) {
        double[] x = design.getRow(row);
        double leverage = 1.0 / left.length; // that of the mean
        for (int column = 0; column < x.length; column++) {
          leverage += x[column] * toSlopes.getEntry(column, row);
        }
        left[row] = Math.max(1e-6, 1 - leverage);
      }
    }

    double[] slopes(double[] centered) {
      return toSlopes.operate(centered);
    }

    /** Returns the sum of squared errors if each trial is predicted from all others. */
    double press(double[] centered) {
      double[] fitted = design.operate(slopes(centered));
      double sum = 0;
      for (int row = 0; row < centered.length; row++) {
        sum += Math.pow((centered[row] - fitted[row]) / left[row], 2);
      }
      return sum;
    }
  }

  private ConfigurationEffect effect(double[] slopes, double press, double explained) {
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Term term = columns.get(i).term();
      double slope = slopes[i] / deviation(columns.get(i));
      terms.add(
          new Term(term.parameter(), term.value(), term.log(), term.low(), term.high(), slope));
    }
    double sum = 0;
    int count = 0;
    for (int row = 0; row < y.length; row++) {
      double log = 0;
      for (int i = 0; i < columns.size(); i++) {
        log += terms.get(i).slope() * columns.get(i).x()[row];
      }
      sum += counted[row] ? Math.exp(log) : 0;
      count += counted[row] ? 1 : 0;
    }
    double residual = Math.sqrt(Math.max(0, press / y.length - noise));
    return new ConfigurationEffect(terms, count / sum, residual, explained, y.length, List.of());
  }

  private RealMatrix design() {
    double[][] rows = new double[y.length][columns.size()];
    for (int i = 0; i < columns.size(); i++) {
      double[] x = columns.get(i).x();
      double mean = StatUtils.mean(x);
      for (int row = 0; row < rows.length; row++) {
        rows[row][i] = (x[row] - mean) / deviation(columns.get(i));
      }
    }
    return new Array2DRowRealMatrix(rows, false);
  }

  private static double deviation(Column column) {
    return Math.sqrt(StatUtils.populationVariance(column.x()));
  }

  private static double[] centered(double[] values) {
    double mean = StatUtils.mean(values);
    double[] centered = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      centered[i] = values[i] - mean;
    }
    return centered;
  }

  private static RealMatrix inverse(RealMatrix design, double shrinkage) {
    RealMatrix squares = design.transpose().multiply(design);
    RealMatrix ridge =
        MatrixUtils.createRealIdentityMatrix(squares.getRowDimension()).scalarMultiply(shrinkage);
    return new CholeskyDecomposition(squares.add(ridge)).getSolver().getInverse();
  }

  private static double pressOfMean(double[] centered) {
    double left = 1 - 1.0 / centered.length;
    double sum = 0;
    for (double one : centered) {
      sum += Math.pow(one / left, 2);
    }
    return sum;
  }
}
