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

  /** Names of hyperparameters. */
  static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]{0,63}");

  /** Description of the names, for messages. */
  static final String NAME_TYPE = "letters, digits, '_', '.', '/' and '-', with a letter first";

  static final Codec<Dimension> CODEC =
      new VariantCodec<>(
          "hyperparameter",
          List.of(
              variant("uniform", fields(Dimension.Uniform.class), DimensionSections::checkRange),
              variant(
                  "loguniform", fields(Dimension.LogUniform.class), DimensionSections::checkRange),
              variant("int", fields(Dimension.Int.class), DimensionSections::checkInt),
              variant("normal", fields(Dimension.Normal.class)),
              variant("lognormal", fields(Dimension.LogNormal.class)),
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
    if (width <= 0) {
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
    long least = fieldValues.find(low).orElse(Long.MIN_VALUE);
    long most = fieldValues.find(fields.<Long>field("high")).orElse(Long.MAX_VALUE);
    if (least > most) {
      fieldValues.problem(
          fields.field("high"), "must not be below low: " + most + " < " + least, "");
    } else if (least != Long.MIN_VALUE
        && most - least >= 0
        && fieldValues.find(steps).orElse(1) > most - least + 1) {
      fieldValues.problem(steps, "exceeds the number of whole numbers from low to high", "");
    } else if (most - least > 0 && fieldValues.find(step).orElse(1L) > most - least) {
      fieldValues.problem(step, "must not exceed high - low", "");
    }
    if (fieldValues.find(fields.<Boolean>field("log")).orElse(false)
        && fieldValues.find(low).orElse(1L) < 1) {
      fieldValues.problem(low, "must be at least 1 on a logarithmic scale, not " + least, "");
    }
  }
}
