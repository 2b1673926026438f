package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * The allowed values of one hyperparameter. A value is a {@link String}, {@link Long}, {@link
 * Double}, {@link Boolean}, {@link io.elastune.core.NullValue} or a list of these.
 */
public sealed interface Dimension {
  /** The pattern of the names of hyperparameters. */
  String NAME = "[A-Za-z_][A-Za-z0-9_./-]{0,63}";

  /** The most values of a grid along one dimension. */
  int MOST_STEPS = 100_000;

  /** Returns the condition under which the hyperparameter is part of a configuration. */
  Condition when();

  /** Returns a random value. */
  Object draw(RandomGenerator random);

  /** Returns the number of values of a grid search; empty if there is no finite set of them. */
  default OptionalLong gridSize() {
    return OptionalLong.empty();
  }

  /**
   * Returns a value of a grid search.
   *
   * @param index from 0, below {@link #gridSize}
   */
  default Object gridValue(long index) {
    throw new UnsupportedOperationException("no grid values: " + this);
  }

  /** Returns {@code value} with the type that this dimension has; empty if it is not allowed. */
  Optional<Object> find(Object value);

  /** Returns the number of grid values, if it is given. */
  default Optional<Integer> steps() {
    return Optional.empty();
  }

  /** Uniformly distributed between two numbers. */
  @FileSection(
      title = "search.space.NAME, type uniform",
      doc = "A number with a uniform distribution.")
  record Uniform(
      @FileField(doc = "Lowest value.", example = "0.0") double low,
      @FileField(doc = "Highest value.", example = "0.5") double high,
      @FileField(doc = Scale.STEPS_DOC, without = Scale.STEPS_WITHOUT, example = "5")
          @Bounds(least = 1, most = Dimension.MOST_STEPS)
          Optional<Integer> steps,
      @FileField(doc = Scale.STEP_DOC, without = "none; any number", example = "0.1")
          @Bounds(above0 = true)
          Optional<Double> step,
      Condition when)
      implements Dimension {
    public Uniform {
      Scale.check(low, high, step);
      Scale.checkSteps(steps, step);
    }

    public Uniform(double low, double high, Optional<Integer> steps) {
      this(low, high, steps, Optional.empty(), Condition.ALWAYS);
    }

    @Override
    public Object draw(RandomGenerator random) {
      return step.isPresent()
          ? Scale.at(low, step.get(), random.nextLong(Scale.count(low, high, step.get())))
          : random.nextDouble(low, high);
    }

    @Override
    public OptionalLong gridSize() {
      return Dimension.gridSize(low, high, steps, step);
    }

    @Override
    public Object gridValue(long index) {
      return step.isPresent()
          ? Scale.at(low, step.get(), index)
          : Scale.linear(low, high, Scale.share(index, steps.orElse(1)));
    }

    @Override
    public Optional<Object> find(Object value) {
      return Dimension.number(low, high, step, value);
    }
  }

  /** Log-uniformly distributed between two positive numbers. */
  @FileSection(
      title = "search.space.NAME, type loguniform",
      doc = "A positive number with a log-uniform distribution.")
  record LogUniform(
      @FileField(doc = "Lowest value.", example = "1e-4") @Bounds(above0 = true) double low,
      @FileField(doc = "Highest value.", example = "1e-1") @Bounds(above0 = true) double high,
      @FileField(doc = Scale.STEPS_DOC, without = Scale.STEPS_WITHOUT, example = "5")
          @Bounds(least = 1, most = Dimension.MOST_STEPS)
          Optional<Integer> steps,
      @FileField(
              doc =
                  "Distance between values: a drawn number is rounded to low, low + step, and so"
                      + " on, up to high.",
              without = "none; any number",
              example = "0.001")
          @Bounds(above0 = true)
          Optional<Double> step,
      Condition when)
      implements Dimension {
    public LogUniform {
      Preconditions.positive("low", low);
      Scale.check(low, high, step);
      Scale.checkSteps(steps, step);
    }

    public LogUniform(double low, double high, Optional<Integer> steps) {
      this(low, high, steps, Optional.empty(), Condition.ALWAYS);
    }

    @Override
    public Object draw(RandomGenerator random) {
      double share = random.nextDouble();
      if (step.isEmpty()) {
        return Scale.logarithmic(low, high, share);
      }
      // Half a step beyond the ends, so that rounding does not make the ends less likely.
      double size = step.get();
      double drawn = Scale.logarithmic(Math.max(low / 2, low - size / 2), high + size / 2, share);
      return Scale.at(low, size, Scale.nearest(low, size, Scale.count(low, high, size), drawn));
    }

    @Override
    public OptionalLong gridSize() {
      return Dimension.gridSize(low, high, steps, step);
    }

    @Override
    public Object gridValue(long index) {
      return step.isPresent()
          ? Scale.at(low, step.get(), index)
          : Scale.logarithmic(low, high, Scale.share(index, steps.orElse(1)));
    }

    @Override
    public Optional<Object> find(Object value) {
      return Dimension.number(low, high, step, value);
    }
  }

  /** Whole numbers, both ends included. */
  @FileSection(title = "search.space.NAME, type int", doc = "A whole number, both ends included.")
  record Int(
      @FileField(doc = "Lowest value.", example = "1") long low,
      @FileField(doc = "Highest value.", example = "8") long high,
      @FileField(
              doc = "Whether the scale is logarithmic; low must then be at least 1.",
              absent = "false",
              example = "true")
          boolean log,
      @FileField(
              doc = Scale.STEPS_DOC,
              without = "none; a grid then uses every value",
              example = "5")
          @Bounds(least = 1, most = Dimension.MOST_STEPS)
          Optional<Integer> steps,
      @FileField(doc = Scale.STEP_DOC, without = "1", example = "2") @Bounds(least = 1)
          Optional<Long> step,
      Condition when)
      implements Dimension {
    public Int {
      Preconditions.that(low <= high, "low must not be above high: " + low + " > " + high);
      Preconditions.that(
          !log || low >= 1, "low must be at least 1 on a logarithmic scale, not " + low);
      Scale.checkSteps(steps, step);
      step.ifPresent(size -> Preconditions.that(size >= 1, "step must be at least 1, not " + size));
    }

    public Int(long low, long high, boolean log, Optional<Integer> steps) {
      this(low, high, log, steps, Optional.empty(), Condition.ALWAYS);
    }

    @Override
    public Object draw(RandomGenerator random) {
      if (!log) {
        return step.isPresent() ? low + step.get() * random.nextLong(every()) : whole(random);
      }
      double half = step.orElse(1L) / 2.0;
      double drawn =
          Scale.logarithmic(Math.max(low / 2.0, low - half), high + half, random.nextDouble());
      if (step.isPresent()) {
        long index = Math.round((drawn - low) / step.get());
        return low + step.get() * Math.min(every() - 1, Math.max(0, index));
      }
      return Math.min(high, Math.max(low, Math.round(drawn)));
    }

    /** Returns any number of the range, whose end may be the highest long. */
    private long whole(RandomGenerator random) {
      if (high < Long.MAX_VALUE) {
        return random.nextLong(low, high + 1);
      }
      return low > Long.MIN_VALUE ? random.nextLong(low - 1, high) + 1 : random.nextLong();
    }

    /** Returns the number of values; the highest long if it is larger. */
    private long every() {
      long intervals = Long.divideUnsigned(high - low, step.orElse(1L)); // may exceed a long
      return intervals < 0 || intervals == Long.MAX_VALUE ? Long.MAX_VALUE : intervals + 1;
    }

    @Override
    public OptionalLong gridSize() {
      return OptionalLong.of(steps.isPresent() ? steps.get() : every());
    }

    @Override
    public Object gridValue(long index) {
      if (step.isPresent()) {
        return low + step.get() * index;
      }
      if (steps.isEmpty()) {
        return low + index;
      }
      double share = Scale.share(index, steps.get());
      long rounded =
          Math.round(
              log
                  ? Scale.logarithmic((double) low, (double) high, share)
                  : Scale.linear((double) low, (double) high, share));
      return Math.min(high, Math.max(low, rounded)); // a double has fewer digits
    }

    @Override
    public Optional<Object> find(Object value) {
      if (!(value instanceof Number number)
          || number.doubleValue() != Math.rint(number.doubleValue())) {
        return Optional.empty();
      }
      long whole = number.longValue();
      boolean inside =
          whole >= low && whole <= high && (double) whole == number.doubleValue(); // no overflow
      return inside && Long.remainderUnsigned(whole - low, step.orElse(1L)) == 0
          ? Optional.of(whole)
          : Optional.empty();
    }
  }

  /** Normally distributed. */
  @FileSection(
      title = "search.space.NAME, type normal",
      doc = "A number with a normal distribution; not for grid.")
  record Normal(
      @FileField(doc = "Mean.", example = "0.0") double mean,
      @FileField(doc = "Standard deviation.", example = "1.0") @Bounds(above0 = true) double sd,
      @FileField(
              doc = "A drawn number is rounded to a multiple of it.",
              without = "none; any number",
              example = "0.1")
          @Bounds(above0 = true)
          Optional<Double> step,
      Condition when)
      implements Dimension {
    public Normal {
      Dimension.checkNormal(mean, sd, step);
    }

    @Override
    public Object draw(RandomGenerator random) {
      double drawn = mean + sd * random.nextGaussian();
      return step.isPresent()
          ? Scale.at(0, step.get(), Math.round(drawn / step.get()))
          : (Object) drawn;
    }

    @Override
    public Optional<Object> find(Object value) {
      return value instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
    }
  }

  /** A positive number whose natural logarithm is normally distributed. */
  @FileSection(
      title = "search.space.NAME, type lognormal",
      doc = "A positive number whose logarithm has a normal distribution; not for grid.")
  record LogNormal(
      @FileField(doc = "Mean of the natural logarithm of the number.", example = "-7.0")
          double mean,
      @FileField(
              doc = "Standard deviation of the natural logarithm of the number.",
              example = "1.0")
          @Bounds(above0 = true)
          double sd,
      @FileField(
              doc = "A drawn number is rounded to a multiple of it, and is at least one step.",
              without = "none; any number",
              example = "0.001")
          @Bounds(above0 = true)
          Optional<Double> step,
      Condition when)
      implements Dimension {
    public LogNormal {
      Dimension.checkNormal(mean, sd, step);
    }

    @Override
    public Object draw(RandomGenerator random) {
      double drawn =
          Math.min(
              Double.MAX_VALUE,
              Math.max(Double.MIN_NORMAL, Math.exp(mean + sd * random.nextGaussian())));
      return step.isPresent()
          ? Scale.at(0, step.get(), Math.max(1, Math.round(drawn / step.get())))
          : (Object) drawn;
    }

    @Override
    public Optional<Object> find(Object value) {
      return value instanceof Number number && number.doubleValue() > 0
          ? Optional.of(number.doubleValue())
          : Optional.empty();
    }
  }

  /** One of a list of values. */
  @FileSection(
      title = "search.space.NAME, type choice",
      doc =
          "One of a list of values. A value may be null or a list. The list alone means the same:"
              + " `optimizer: [sgd, adam]`.")
  record Choice(
      @FileField(doc = "The values; all are equally likely.", example = "[64, 128, 256]")
          List<Object> values,
      Condition when)
      implements Dimension {
    public Choice {
      values = List.copyOf(values);
      Preconditions.that(!values.isEmpty(), "values must not be empty");
    }

    public Choice(List<Object> values) {
      this(values, Condition.ALWAYS);
    }

    @Override
    public Object draw(RandomGenerator random) {
      return values.get(random.nextInt(values.size()));
    }

    @Override
    public OptionalLong gridSize() {
      return OptionalLong.of(values.size());
    }

    @Override
    public Object gridValue(long index) {
      return values.get(Math.toIntExact(index));
    }

    @Override
    public Optional<Object> find(Object value) {
      return values.contains(value)
          ? Optional.of(value)
          : values.stream().filter(own -> Condition.isSame(own, value)).findFirst();
    }
  }

  /** A single value. */
  @FileSection(
      title = "search.space.NAME, type constant",
      doc = "A value that is the same for every trial. It may be null or a list.")
  record Constant(
      @FileField(doc = "The value of every trial.", example = "0.9") Object value, Condition when)
      implements Dimension {
    @Override
    public Object draw(RandomGenerator random) {
      return value;
    }

    @Override
    public OptionalLong gridSize() {
      return OptionalLong.of(1);
    }

    @Override
    public Object gridValue(long index) {
      return value;
    }

    @Override
    public Optional<Object> find(Object other) {
      return Condition.isSame(value, other) ? Optional.of(value) : Optional.empty();
    }
  }

  private static OptionalLong gridSize(
      double low, double high, Optional<Integer> steps, Optional<Double> step) {
    if (step.isPresent()) {
      return OptionalLong.of(Scale.count(low, high, step.get()));
    }
    return steps.isPresent() ? OptionalLong.of(steps.get()) : OptionalLong.empty();
  }

  private static Optional<Object> number(
      double low, double high, Optional<Double> step, Object value) {
    if (!(value instanceof Number number)) {
      return Optional.empty();
    }
    double found = number.doubleValue();
    boolean allowed =
        found >= low
            && found <= high
            && (step.isEmpty() || Scale.isMultiple(low, step.get(), found));
    return allowed ? Optional.of(found) : Optional.empty();
  }

  private static void checkNormal(double mean, double sd, Optional<Double> step) {
    Preconditions.that(Double.isFinite(mean), "mean must be finite, not " + mean);
    Preconditions.positive("sd", sd);
    step.ifPresent(size -> Preconditions.positive("step", size));
  }
}
