package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.ScalarCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.VariantCodec;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The sections for the hyperparameters in {@code search.space}. */
final class DimensionSections {
  private static final String TITLE = "search.space.NAME, type ";
  private static final Codec<Double> NUMBER = NumberCodecs.finite();
  private static final Codec<Double> POSITIVE = NumberCodecs.above0();
  private static final Codec<Long> WHOLE = NumberCodecs.wholeNumber64();

  private static final double MOST_VALUES = 1e9;

  /** Names of hyperparameters. */
  static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]{0,63}");

  /** Description of the names, for messages. */
  static final String NAME_TYPE = "letters, digits, '_', '.', '/' and '-', with a letter first";

  static final Codec<Dimension> CODEC =
      new VariantCodec<>(
          "hyperparameter",
          List.of(
              new VariantCodec.Variant<>("uniform", Dimension.Uniform.class, uniform()),
              new VariantCodec.Variant<>("loguniform", Dimension.LogUniform.class, logUniform()),
              new VariantCodec.Variant<>("int", Dimension.Int.class, integer()),
              new VariantCodec.Variant<>("normal", Dimension.Normal.class, normal()),
              new VariantCodec.Variant<>("lognormal", Dimension.LogNormal.class, logNormal()),
              new VariantCodec.Variant<>("choice", Dimension.Choice.class, choice()),
              new VariantCodec.Variant<>("constant", Dimension.Constant.class, constant())),
          Map.ofEntries(
              Map.entry("quniform", "uniform with a step"),
              Map.entry("qloguniform", "loguniform with a step"),
              Map.entry("qnormal", "normal with a step"),
              Map.entry("qlognormal", "lognormal with a step"),
              Map.entry("randint", "int"),
              Map.entry("qrandint", "int with a step"),
              Map.entry("lograndint", "int with log: true"),
              Map.entry("integer", "int"),
              Map.entry("float", "uniform"),
              Map.entry("double", "uniform"),
              Map.entry("log", "loguniform"),
              Map.entry("categorical", "choice"),
              Map.entry("grid", "choice"),
              Map.entry("const", "constant"),
              Map.entry("fixed", "constant")));

  private DimensionSections() {}

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

  private static <R, N> Field<R, N> stepField(
      Codec<N> codec, String absent, Function<R, Optional<N>> getter, String doc, String example) {
    return Field.optional("step", codec, absent, getter, doc, example);
  }

  private static <R> Field<R, Map<String, List<Object>>> whenField(Function<R, Condition> getter) {
    return Field.optional(
        "when",
        MapCodecs.nonEmpty(NAME, NAME_TYPE, ConfigValueCodecs.oneOrMore()),
        "always used",
        dimension ->
            Optional.of(getter.apply(dimension).allowed()).filter(allowed -> !allowed.isEmpty()),
        "Used only if these hyperparameters, listed before, have the values.",
        "{optimizer: [sgd, rmsprop]}");
  }

  private static Condition condition(
      FieldValues fieldValues, Field<?, Map<String, List<Object>>> when) {
    return fieldValues.find(when).map(Condition::new).orElse(Condition.ALWAYS);
  }

  private static Section<Dimension.Uniform> uniform() {
    Field<Dimension.Uniform, Double> low = low(NUMBER, Dimension.Uniform::low, "0.0");
    Field<Dimension.Uniform, Double> high = high(NUMBER, Dimension.Uniform::high, "0.5");
    Field<Dimension.Uniform, Integer> steps =
        stepsField("none; grid needs steps or step", Dimension.Uniform::steps);
    Field<Dimension.Uniform, Double> step =
        stepField(
            POSITIVE,
            "none; any number",
            Dimension.Uniform::step,
            "Distance between values: low, low + step, and so on, up to high.",
            "0.1");
    Field<Dimension.Uniform, Map<String, List<Object>>> when = whenField(Dimension.Uniform::when);
    return Section.<Dimension.Uniform>of(
            TITLE + "uniform",
            "A number with a uniform distribution.",
            List.of(low, high, steps, step, when),
            fieldValues ->
                new Dimension.Uniform(
                    fieldValues.get(low),
                    fieldValues.get(high),
                    fieldValues.find(steps),
                    fieldValues.find(step),
                    condition(fieldValues, when)))
        .withValidation(fieldValues -> checkRange(fieldValues, low, high, steps, step));
  }

  private static Section<Dimension.LogUniform> logUniform() {
    Field<Dimension.LogUniform, Double> low = low(POSITIVE, Dimension.LogUniform::low, "1e-4");
    Field<Dimension.LogUniform, Double> high = high(POSITIVE, Dimension.LogUniform::high, "1e-1");
    Field<Dimension.LogUniform, Integer> steps =
        stepsField("none; grid needs steps or step", Dimension.LogUniform::steps);
    Field<Dimension.LogUniform, Double> step =
        stepField(
            POSITIVE,
            "none; any number",
            Dimension.LogUniform::step,
            "Distance between values: a drawn number is rounded to low, low + step, and so on, up to"
                + " high.",
            "0.001");
    Field<Dimension.LogUniform, Map<String, List<Object>>> when =
        whenField(Dimension.LogUniform::when);
    return Section.<Dimension.LogUniform>of(
            TITLE + "loguniform",
            "A positive number with a log-uniform distribution.",
            List.of(low, high, steps, step, when),
            fieldValues ->
                new Dimension.LogUniform(
                    fieldValues.get(low),
                    fieldValues.get(high),
                    fieldValues.find(steps),
                    fieldValues.find(step),
                    condition(fieldValues, when)))
        .withValidation(fieldValues -> checkRange(fieldValues, low, high, steps, step));
  }

  private static void checkRange(
      FieldValues fieldValues,
      Field<?, Double> low,
      Field<?, Double> high,
      Field<?, Integer> steps,
      Field<?, Double> step) {
    checkStepAndSteps(fieldValues, steps, step);
    Optional<Double> least = fieldValues.find(low);
    Optional<Double> most = fieldValues.find(high);
    if (least.isEmpty() || most.isEmpty()) {
      return;
    }
    double width = most.get() - least.get();
    if (width <= 0) {
      fieldValues.problem(
          high,
          "must be above low: "
              + NumberCodecs.format(most.get())
              + " <= "
              + NumberCodecs.format(least.get()),
          "");
    } else if (fieldValues.find(step).orElse(width) > width) {
      fieldValues.problem(step, "must not exceed high - low", "");
    } else if (width / fieldValues.find(step).orElse(width) >= MOST_VALUES) {
      fieldValues.problem(step, "results in more than 1000000000 values", "");
    }
  }

  private static void checkStepAndSteps(
      FieldValues fieldValues, Field<?, Integer> steps, Field<?, ?> step) {
    if (fieldValues.isGiven(steps) && fieldValues.isGiven(step)) {
      fieldValues.problem(
          step, "give either step, the distance between values, or steps, their number", "");
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
        stepsField("none; a grid then uses every value", Dimension.Int::steps);
    Field<Dimension.Int, Long> step =
        stepField(
            NumberCodecs.wholeNumber64(1),
            "1",
            Dimension.Int::step,
            "Distance between values: low, low + step, and so on, up to high.",
            "2");
    Field<Dimension.Int, Map<String, List<Object>>> when = whenField(Dimension.Int::when);
    return Section.<Dimension.Int>of(
            TITLE + "int",
            "A whole number, both ends included.",
            List.of(low, high, log, steps, step, when),
            fieldValues ->
                new Dimension.Int(
                    fieldValues.get(low),
                    fieldValues.get(high),
                    fieldValues.get(log),
                    fieldValues.find(steps),
                    fieldValues.find(step),
                    condition(fieldValues, when)))
        .withValidation(fieldValues -> checkInt(fieldValues, low, high, log, steps, step));
  }

  private static void checkInt(
      FieldValues fieldValues,
      Field<?, Long> low,
      Field<?, Long> high,
      Field<?, Boolean> log,
      Field<?, Integer> steps,
      Field<?, Long> step) {
    checkStepAndSteps(fieldValues, steps, step);
    long least = fieldValues.find(low).orElse(Long.MIN_VALUE);
    long most = fieldValues.find(high).orElse(Long.MAX_VALUE);
    if (least > most) {
      fieldValues.problem(high, "must not be below low: " + most + " < " + least, "");
    } else if (least != Long.MIN_VALUE
        && most - least >= 0
        && fieldValues.find(steps).orElse(1) > most - least + 1) {
      fieldValues.problem(steps, "exceeds the number of whole numbers from low to high", "");
    } else if (most - least > 0 && fieldValues.find(step).orElse(1L) > most - least) {
      fieldValues.problem(step, "must not exceed high - low", "");
    }
    if (fieldValues.find(log).orElse(false) && fieldValues.find(low).orElse(1L) < 1) {
      fieldValues.problem(low, "must be at least 1 on a logarithmic scale, not " + least, "");
    }
  }

  private static Section<Dimension.Normal> normal() {
    Field<Dimension.Normal, Double> mean =
        Field.required("mean", NUMBER, Dimension.Normal::mean, "Mean.", "0.0");
    Field<Dimension.Normal, Double> sd =
        Field.required("sd", POSITIVE, Dimension.Normal::sd, "Standard deviation.", "1.0");
    Field<Dimension.Normal, Double> step =
        stepField(
            POSITIVE,
            "none; any number",
            Dimension.Normal::step,
            "A drawn number is rounded to a multiple of it.",
            "0.1");
    Field<Dimension.Normal, Map<String, List<Object>>> when = whenField(Dimension.Normal::when);
    return Section.of(
        TITLE + "normal",
        "A number with a normal distribution; not for grid.",
        List.of(mean, sd, step, when),
        fieldValues ->
            new Dimension.Normal(
                fieldValues.get(mean),
                fieldValues.get(sd),
                fieldValues.find(step),
                condition(fieldValues, when)));
  }

  private static Section<Dimension.LogNormal> logNormal() {
    Field<Dimension.LogNormal, Double> mean =
        Field.required(
            "mean",
            NUMBER,
            Dimension.LogNormal::mean,
            "Mean of the natural logarithm of the number.",
            "-7.0");
    Field<Dimension.LogNormal, Double> sd =
        Field.required(
            "sd",
            POSITIVE,
            Dimension.LogNormal::sd,
            "Standard deviation of the natural logarithm of the number.",
            "1.0");
    Field<Dimension.LogNormal, Double> step =
        stepField(
            POSITIVE,
            "none; any number",
            Dimension.LogNormal::step,
            "A drawn number is rounded to a multiple of it, and is at least one step.",
            "0.001");
    Field<Dimension.LogNormal, Map<String, List<Object>>> when =
        whenField(Dimension.LogNormal::when);
    return Section.of(
        TITLE + "lognormal",
        "A positive number whose logarithm has a normal distribution; not for grid.",
        List.of(mean, sd, step, when),
        fieldValues ->
            new Dimension.LogNormal(
                fieldValues.get(mean),
                fieldValues.get(sd),
                fieldValues.find(step),
                condition(fieldValues, when)));
  }

  private static Section<Dimension.Choice> choice() {
    Field<Dimension.Choice, List<Object>> listed =
        Field.required(
            "values",
            ListCodecs.distinct(ConfigValueCodecs.value()),
            Dimension.Choice::values,
            "The values; all are equally likely.",
            "[64, 128, 256]");
    Field<Dimension.Choice, Map<String, List<Object>>> when = whenField(Dimension.Choice::when);
    return Section.of(
        TITLE + "choice",
        "One of a list of values. A value may be null or a list.",
        List.of(listed, when),
        fieldValues -> new Dimension.Choice(fieldValues.get(listed), condition(fieldValues, when)));
  }

  private static Section<Dimension.Constant> constant() {
    Field<Dimension.Constant, Object> value =
        Field.required(
            "value",
            ConfigValueCodecs.value(),
            Dimension.Constant::value,
            "The value of every trial.",
            "0.9");
    Field<Dimension.Constant, Map<String, List<Object>>> when = whenField(Dimension.Constant::when);
    return Section.of(
        TITLE + "constant",
        "A value that is the same for every trial. It may be null or a list.",
        List.of(value, when),
        fieldValues ->
            new Dimension.Constant(fieldValues.get(value), condition(fieldValues, when)));
  }
}
