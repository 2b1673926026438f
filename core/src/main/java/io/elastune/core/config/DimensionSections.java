package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.MappedCodec;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.VariantCodec;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** The sections for the hyperparameters in {@code search.space}. */
final class DimensionSections {
  private static final double MOST_VALUES = 1e9;

  /** Standard deviations within which nearly all numbers of a normal distribution are. */
  private static final double DEVIATIONS = 4;

  private static final double LARGEST_EXPONENT = Math.log(Double.MAX_VALUE);
  private static final double SMALLEST_EXPONENT = Math.log(Double.MIN_NORMAL);

  /** Names of hyperparameters. */
  static final Pattern NAME = Pattern.compile(Dimension.NAME);

  /** Description of the names, for messages. */
  static final String NAME_TYPE =
      "letters, digits, '_', '.', '/' and '-', with a letter or '_' first";

  private static final VariantCodec<Dimension> VARIANTS =
      new VariantCodec<>(
          "hyperparameter",
          List.of(
              variant("uniform", fields(Dimension.Uniform.class), DimensionSections::checkRange),
              variant(
                  "loguniform", fields(Dimension.LogUniform.class), DimensionSections::checkRange),
              variant("int", fields(Dimension.Int.class), DimensionSections::checkInt),
              variant("normal", fields(Dimension.Normal.class), DimensionSections::checkNormal),
              variant(
                  "lognormal",
                  fields(Dimension.LogNormal.class),
                  DimensionSections::checkLogNormal),
              variant(
                  "choice",
                  fields(Dimension.Choice.class)
                      .codec("values", ListCodecs.distinct(ConfigValueCodecs.value()))),
              variant(
                  "constant",
                  fields(Dimension.Constant.class).codec("value", ConfigValueCodecs.value()))),
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

  /** Accepts a list of values in place of a map with type choice. */
  static final Codec<Dimension> CODEC = new DimensionCodec(VARIANTS);

  private DimensionSections() {}

  private static <D extends Dimension> VariantCodec.Variant<D> variant(
      String word, RecordSection<D> fields) {
    return variant(word, fields, (fieldValues, own) -> {});
  }

  private static <D extends Dimension> VariantCodec.Variant<D> variant(
      String word, RecordSection<D> fields, BiConsumer<FieldValues, RecordSection<D>> check) {
    return new VariantCodec.Variant<>(
        word, fields.type(), fields.section(fieldValues -> check.accept(fieldValues, fields)));
  }

  private static <D extends Dimension> RecordSection<D> fields(Class<D> type) {
    return RecordSection.define(type)
        .codec(
            "when",
            new MappedCodec<>(
                MapCodecs.nonEmpty(NAME, NAME_TYPE, ConfigValueCodecs.oneOrMore()),
                Condition::new,
                Condition::allowed))
        .empty("when", Condition.ALWAYS, Condition.ALWAYS::equals);
  }

  private static void checkRange(FieldValues fieldValues, RecordSection<?> fields) {
    checkStepAndSteps(fieldValues, fields);
    Optional<Double> least = fieldValues.find(fields.<Double>field("low"));
    Optional<Double> most = fieldValues.find(fields.<Double>field("high"));
    if (least.isEmpty() || most.isEmpty()) {
      return;
    }
    Field<?, Double> step = fields.field("step");
    double width = most.get() - least.get();
    if (!Double.isFinite(width)) {
      fieldValues.problem(
          fields.field("high"),
          "high - low must be a finite number, is above " + Double.MAX_VALUE,
          "narrow the range");
    } else if (width <= 0) {
      fieldValues.problem(
          fields.field("high"),
          "must be above low: "
              + NumberCodecs.format(most.get())
              + " <= "
              + NumberCodecs.format(least.get()),
          "");
    } else if (fieldValues.find(step).orElse(width) > width) {
      fieldValues.problem(step, "must not exceed high - low", "");
    } else if (width / fieldValues.find(step).orElse(width) >= MOST_VALUES) {
      fieldValues.problem(step, "results in more than 1000000000 values", "");
    } else if (fieldValues.find(step).orElse(width) < precision(least.get(), most.get())) {
      fieldValues.problem(
          step,
          "is below the precision of numbers near "
              + NumberCodecs.format(Math.max(Math.abs(least.get()), Math.abs(most.get()))),
          "use a larger step");
    }
  }

  /** Returns the distance of the largest number of a range to the next one. */
  private static double precision(double least, double most) {
    return Math.ulp(Math.max(Math.abs(least), Math.abs(most)));
  }

  /**
   * Numbers that are drawn, up to {@link #DEVIATIONS}, must be finite and multiples of the step.
   */
  private static void checkNormal(FieldValues fieldValues, RecordSection<?> fields) {
    Optional<Double> mean = fieldValues.find(fields.<Double>field("mean"));
    Optional<Double> sd = fieldValues.find(fields.<Double>field("sd"));
    if (mean.isEmpty() || sd.isEmpty()) {
      return;
    }
    double most = Math.abs(mean.get()) + DEVIATIONS * sd.get();
    if (Double.isFinite(most)) {
      checkStepOf(fieldValues, fields, most);
    } else {
      fieldValues.problem(
          fields.field("sd"), "mean and sd result in numbers that are not finite", "lower sd");
    }
  }

  /** Most of the numbers must be finite and above 0 as doubles. */
  private static void checkLogNormal(FieldValues fieldValues, RecordSection<?> fields) {
    Optional<Double> mean = fieldValues.find(fields.<Double>field("mean"));
    Optional<Double> sd = fieldValues.find(fields.<Double>field("sd"));
    if (mean.isEmpty() || sd.isEmpty()) {
      return;
    }
    double least = mean.get() - DEVIATIONS * sd.get();
    double most = mean.get() + DEVIATIONS * sd.get();
    if (most > LARGEST_EXPONENT || least < SMALLEST_EXPONENT) {
      boolean narrow = mean.get() >= SMALLEST_EXPONENT && mean.get() <= LARGEST_EXPONENT;
      fieldValues.problem(
          fields.field(narrow ? "sd" : "mean"),
          "results in numbers from exp(%s) to exp(%s), which are not finite and above 0"
              .formatted(NumberCodecs.format(least), NumberCodecs.format(most)),
          "mean and sd are those of the natural logarithm: mean - 4 sd must be at least -708, and"
              + " mean + 4 sd at most 709");
    } else {
      checkStepOf(fieldValues, fields, Math.exp(most));
    }
  }

  private static void checkStepOf(
      FieldValues fieldValues, RecordSection<?> fields, double largest) {
    Field<?, Double> step = fields.field("step");
    if (largest / fieldValues.find(step).orElse(largest) >= MOST_VALUES) {
      fieldValues.problem(step, "results in more than 1000000000 values", "use a larger step");
    }
  }

  private static void checkStepAndSteps(FieldValues fieldValues, RecordSection<?> fields) {
    if (fieldValues.isGiven(fields.field("steps")) && fieldValues.isGiven(fields.field("step"))) {
      fieldValues.problem(
          fields.field("step"),
          "give either step, the distance between values, or steps, their number",
          "");
    }
  }

  private static void checkInt(FieldValues fieldValues, RecordSection<?> fields) {
    checkStepAndSteps(fieldValues, fields);
    Field<?, Long> low = fields.field("low");
    Field<?, Long> step = fields.field("step");
    Field<?, Integer> steps = fields.field("steps");
    Optional<Long> least = fieldValues.find(low);
    Optional<Long> most = fieldValues.find(fields.<Long>field("high"));
    boolean log = fieldValues.find(fields.<Boolean>field("log")).orElse(false);
    if (log && least.orElse(1L) < 1) {
      fieldValues.problem(low, "must be at least 1 on a logarithmic scale, not " + least.get(), "");
    }
    if (least.isEmpty() || most.isEmpty()) {
      return;
    }
    if (least.get() > most.get()) {
      fieldValues.problem(
          fields.field("high"), "must not be below low: " + most.get() + " < " + least.get(), "");
      return;
    }
    long width = most.get() - least.get(); // of 64 bits without a sign
    long intervals = fieldValues.find(steps).orElse(1) - 1L;
    if (Long.compareUnsigned(intervals, width) > 0) {
      fieldValues.problem(steps, "exceeds the number of whole numbers from low to high", "");
    } else if (width != 0 && Long.compareUnsigned(fieldValues.find(step).orElse(1L), width) > 0) {
      fieldValues.problem(step, "must not exceed high - low", "");
    }
  }
}
