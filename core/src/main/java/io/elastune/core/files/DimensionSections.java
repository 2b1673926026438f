package io.elastune.core.files;

import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.files.schema.Scalars;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Values;
import io.elastune.core.files.schema.Variants;
import io.elastune.core.job.Dimension;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The sections for the hyperparameters in {@code search.space}. */
final class DimensionSections {
  private static final String TITLE = "search.space.NAME, type ";
  private static final Codec<Double> NUMBER = Numbers.finite();
  private static final Codec<Double> POSITIVE = Numbers.above0();
  private static final Codec<Long> WHOLE = Numbers.wholeOf64Bits();

  static final Codec<Dimension> CODEC =
      new Variants<>(
          "hyperparameter",
          List.of(
              new Variants.Variant<>("uniform", Dimension.Uniform.class, uniform()),
              new Variants.Variant<>("loguniform", Dimension.LogUniform.class, logUniform()),
              new Variants.Variant<>("int", Dimension.Int.class, integer()),
              new Variants.Variant<>("choice", Dimension.Choice.class, choice())));

  private DimensionSections() {}

  /** Returns the number of grid values, if given. */
  static Optional<Integer> steps(Dimension dimension) {
    return dimension.match(
        Dimension.Uniform::steps,
        Dimension.LogUniform::steps,
        Dimension.Int::steps,
        choice -> Optional.empty());
  }

  /** Returns whether the dimension has no finite set of values. */
  static boolean isContinuous(Dimension dimension) {
    return dimension.match(uniform -> true, logUniform -> true, integer -> false, choice -> false);
  }

  private static <R, N> Field<R, N> low(Codec<N> codec, Function<R, N> getter, String example) {
    return Field.required("low", codec, getter, "Lowest value.", example);
  }

  private static <R, N> Field<R, N> high(Codec<N> codec, Function<R, N> getter, String example) {
    return Field.required("high", codec, getter, "Highest value.", example);
  }

  private static <R> Field<R, Integer> stepsField(
      String absent, Function<R, Optional<Integer>> getter) {
    return Field.optional(
        "steps",
        Numbers.whole(1, 100_000),
        absent,
        getter,
        "For grid search: number of values, both ends included.",
        "5");
  }

  private static Section<Dimension.Uniform> uniform() {
    Field<Dimension.Uniform, Double> low = low(NUMBER, Dimension.Uniform::low, "0.0");
    Field<Dimension.Uniform, Double> high = high(NUMBER, Dimension.Uniform::high, "0.5");
    Field<Dimension.Uniform, Integer> steps =
        stepsField("none; required for grid", Dimension.Uniform::steps);
    return Section.<Dimension.Uniform>of(
            TITLE + "uniform",
            "A number with a uniform distribution.",
            List.of(low, high, steps),
            values -> new Dimension.Uniform(values.get(low), values.get(high), values.find(steps)))
        .checking(values -> checkOrder(values, low, high));
  }

  private static Section<Dimension.LogUniform> logUniform() {
    Field<Dimension.LogUniform, Double> low = low(POSITIVE, Dimension.LogUniform::low, "1e-4");
    Field<Dimension.LogUniform, Double> high = high(POSITIVE, Dimension.LogUniform::high, "1e-1");
    Field<Dimension.LogUniform, Integer> steps =
        stepsField("none; required for grid", Dimension.LogUniform::steps);
    return Section.<Dimension.LogUniform>of(
            TITLE + "loguniform",
            "A positive number with a log-uniform distribution.",
            List.of(low, high, steps),
            values ->
                new Dimension.LogUniform(values.get(low), values.get(high), values.find(steps)))
        .checking(values -> checkOrder(values, low, high));
  }

  private static void checkOrder(Values values, Field<?, Double> low, Field<?, Double> high) {
    Optional<Double> least = values.find(low);
    Optional<Double> most = values.find(high);
    if (least.isPresent() && most.isPresent() && least.get() >= most.get()) {
      values.problem(
          high,
          "must be above low: " + Numbers.shown(most.get()) + " <= " + Numbers.shown(least.get()),
          "");
    }
  }

  private static Section<Dimension.Int> integer() {
    Field<Dimension.Int, Long> low = low(WHOLE, Dimension.Int::low, "1");
    Field<Dimension.Int, Long> high = high(WHOLE, Dimension.Int::high, "8");
    Field<Dimension.Int, Boolean> log =
        Field.withDefault(
            "log",
            Scalars.trueOrFalse(),
            false,
            Dimension.Int::log,
            "Whether the scale is logarithmic; low must then be at least 1.",
            "true");
    Field<Dimension.Int, Integer> steps =
        stepsField("none; a grid then uses every whole number", Dimension.Int::steps);
    return Section.<Dimension.Int>of(
            TITLE + "int",
            "A whole number, both ends included.",
            List.of(low, high, log, steps),
            values ->
                new Dimension.Int(
                    values.get(low), values.get(high), values.get(log), values.find(steps)))
        .checking(values -> checkInt(values, low, high, log, steps));
  }

  private static void checkInt(
      Values values,
      Field<?, Long> low,
      Field<?, Long> high,
      Field<?, Boolean> log,
      Field<?, Integer> steps) {
    long least = values.find(low).orElse(Long.MIN_VALUE);
    long most = values.find(high).orElse(Long.MAX_VALUE);
    if (least > most) {
      values.problem(high, "must not be below low: " + most + " < " + least, "");
    } else if (least != Long.MIN_VALUE
        && most - least >= 0
        && values.find(steps).orElse(1) > most - least + 1) {
      values.problem(steps, "exceeds the number of whole numbers from low to high", "");
    }
    if (values.find(log).orElse(false) && values.find(low).orElse(1L) < 1) {
      values.problem(low, "must be at least 1 on a logarithmic scale, not " + least, "");
    }
  }

  private static Section<Dimension.Choice> choice() {
    Field<Dimension.Choice, List<Object>> listed =
        Field.required(
            "values",
            Lists.ofDistinct(Scalars.any()),
            Dimension.Choice::values,
            "The values; all are equally likely.",
            "[64, 128, 256]");
    return Section.of(
        TITLE + "choice",
        "One of a list of values.",
        List.of(listed),
        values -> new Dimension.Choice(values.get(listed)));
  }
}
