package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.ScalarCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.VariantCodec;
import io.elastune.core.job.Dimension;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The sections for the hyperparameters in {@code search.space}. */
final class DimensionSections {
  private static final String TITLE = "search.space.NAME, type ";
  private static final Codec<Double> NUMBER = NumberCodecs.finite();
  private static final Codec<Double> POSITIVE = NumberCodecs.above0();
  private static final Codec<Long> WHOLE = NumberCodecs.wholeNumber64();

  static final Codec<Dimension> CODEC =
      new VariantCodec<>(
          "hyperparameter",
          List.of(
              new VariantCodec.Variant<>("uniform", Dimension.Uniform.class, uniform()),
              new VariantCodec.Variant<>("loguniform", Dimension.LogUniform.class, logUniform()),
              new VariantCodec.Variant<>("int", Dimension.Int.class, integer()),
              new VariantCodec.Variant<>("choice", Dimension.Choice.class, choice())));

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
        NumberCodecs.wholeNumber(1, 100_000),
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
            fieldValues ->
                new Dimension.Uniform(
                    fieldValues.get(low), fieldValues.get(high), fieldValues.find(steps)))
        .withValidation(fieldValues -> checkOrder(fieldValues, low, high));
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
            fieldValues ->
                new Dimension.LogUniform(
                    fieldValues.get(low), fieldValues.get(high), fieldValues.find(steps)))
        .withValidation(fieldValues -> checkOrder(fieldValues, low, high));
  }

  private static void checkOrder(
      FieldValues fieldValues, Field<?, Double> low, Field<?, Double> high) {
    Optional<Double> least = fieldValues.find(low);
    Optional<Double> most = fieldValues.find(high);
    if (least.isPresent() && most.isPresent() && least.get() >= most.get()) {
      fieldValues.problem(
          high,
          "must be above low: "
              + NumberCodecs.format(most.get())
              + " <= "
              + NumberCodecs.format(least.get()),
          "");
    }
  }

  private static Section<Dimension.Int> integer() {
    Field<Dimension.Int, Long> low = low(WHOLE, Dimension.Int::low, "1");
    Field<Dimension.Int, Long> high = high(WHOLE, Dimension.Int::high, "8");
    Field<Dimension.Int, Boolean> log =
        Field.withDefault(
            "log",
            ScalarCodecs.trueOrFalse(),
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
            fieldValues ->
                new Dimension.Int(
                    fieldValues.get(low),
                    fieldValues.get(high),
                    fieldValues.get(log),
                    fieldValues.find(steps)))
        .withValidation(fieldValues -> checkInt(fieldValues, low, high, log, steps));
  }

  private static void checkInt(
      FieldValues fieldValues,
      Field<?, Long> low,
      Field<?, Long> high,
      Field<?, Boolean> log,
      Field<?, Integer> steps) {
    long least = fieldValues.find(low).orElse(Long.MIN_VALUE);
    long most = fieldValues.find(high).orElse(Long.MAX_VALUE);
    if (least > most) {
      fieldValues.problem(high, "must not be below low: " + most + " < " + least, "");
    } else if (least != Long.MIN_VALUE
        && most - least >= 0
        && fieldValues.find(steps).orElse(1) > most - least + 1) {
      fieldValues.problem(steps, "exceeds the number of whole numbers from low to high", "");
    }
    if (fieldValues.find(log).orElse(false) && fieldValues.find(low).orElse(1L) < 1) {
      fieldValues.problem(low, "must be at least 1 on a logarithmic scale, not " + least, "");
    }
  }

  private static Section<Dimension.Choice> choice() {
    Field<Dimension.Choice, List<Object>> listed =
        Field.required(
            "values",
            ListCodecs.distinct(ScalarCodecs.any()),
            Dimension.Choice::values,
            "The values; all are equally likely.",
            "[64, 128, 256]");
    return Section.of(
        TITLE + "choice",
        "One of a list of values.",
        List.of(listed),
        fieldValues -> new Dimension.Choice(fieldValues.get(listed)));
  }
}
