package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The allowed values of one hyperparameter. {@link #match} makes every use handle all variants at
 * compile time.
 */
public sealed interface Dimension {
  /** Calls the function for this variant. */
  <R> R match(
      Function<Uniform, R> uniform,
      Function<LogUniform, R> logUniform,
      Function<Int, R> integer,
      Function<Choice, R> choice);

  /**
   * Uniformly distributed between two numbers.
   *
   * @param steps for grid search: the number of evenly spaced values, both ends included
   */
  record Uniform(double low, double high, Optional<Integer> steps) implements Dimension {
    public Uniform {
      checkEnds(low, high);
      checkSteps(steps);
    }

    @Override
    public <R> R match(
        Function<Uniform, R> uniform,
        Function<LogUniform, R> logUniform,
        Function<Int, R> integer,
        Function<Choice, R> choice) {
      return uniform.apply(this);
    }
  }

  /** Log-uniformly distributed between two positive numbers. */
  record LogUniform(double low, double high, Optional<Integer> steps) implements Dimension {
    public LogUniform {
      Preconditions.positive("low", low);
      checkEnds(low, high);
      checkSteps(steps);
    }

    @Override
    public <R> R match(
        Function<Uniform, R> uniform,
        Function<LogUniform, R> logUniform,
        Function<Int, R> integer,
        Function<Choice, R> choice) {
      return logUniform.apply(this);
    }
  }

  /** Whole numbers, both ends included, on a logarithmic scale if {@code log}. */
  record Int(long low, long high, boolean log, Optional<Integer> steps) implements Dimension {
    public Int {
      Preconditions.that(low <= high, "low must not be above high: " + low + " > " + high);
      Preconditions.that(
          !log || low >= 1, "low must be at least 1 on a logarithmic scale, not " + low);
      checkSteps(steps);
    }

    @Override
    public <R> R match(
        Function<Uniform, R> uniform,
        Function<LogUniform, R> logUniform,
        Function<Int, R> integer,
        Function<Choice, R> choice) {
      return integer.apply(this);
    }
  }

  /**
   * One of a list of values.
   *
   * @param values each a {@link String}, {@link Long}, {@link Double} or {@link Boolean}
   */
  record Choice(List<Object> values) implements Dimension {
    public Choice {
      values = List.copyOf(values);
      Preconditions.that(!values.isEmpty(), "values must not be empty");
    }

    @Override
    public <R> R match(
        Function<Uniform, R> uniform,
        Function<LogUniform, R> logUniform,
        Function<Int, R> integer,
        Function<Choice, R> choice) {
      return choice.apply(this);
    }
  }

  private static void checkEnds(double low, double high) {
    Preconditions.that(
        Double.isFinite(low) && Double.isFinite(high) && low < high,
        "low must be below high: " + low + ", " + high);
  }

  private static void checkSteps(Optional<Integer> steps) {
    steps.ifPresent(count -> Preconditions.atLeast("steps", 1, count));
  }
}
