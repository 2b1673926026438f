package io.elastune.core.config;

import io.elastune.core.config.yaml.JsonText;
import io.elastune.core.job.Dimension;
import java.util.Optional;

/** Describes the values of a hyperparameter, for messages. */
final class AllowedValues {
  private static final int MOST_SHOWN = 10;

  private AllowedValues() {}

  /** Returns e.g. {@code a number from 0.1 to 1 in steps of 0.1}. */
  static String of(Dimension dimension) {
    if (dimension instanceof Dimension.Uniform uniform) {
      return number(uniform.low(), uniform.high(), uniform.step());
    }
    if (dimension instanceof Dimension.LogUniform uniform) {
      return number(uniform.low(), uniform.high(), uniform.step());
    }
    if (dimension instanceof Dimension.Int whole) {
      return "a whole number from "
          + whole.low()
          + " to "
          + whole.high()
          + whole.step().map(AllowedValues::inSteps).orElse("");
    }
    if (dimension instanceof Dimension.Choice choice) {
      int more = choice.values().size() - MOST_SHOWN;
      return "one of "
          + text(choice.values().subList(0, Math.min(MOST_SHOWN, choice.values().size())))
          + (more > 0 ? " and " + more + " more" : "");
    }
    if (dimension instanceof Dimension.Constant constant) {
      return text(constant.value());
    }
    return dimension instanceof Dimension.LogNormal ? "a number above 0" : "a number";
  }

  private static String number(double low, double high, Optional<Double> step) {
    return "a number from "
        + text(low)
        + " to "
        + text(high)
        + step.map(AllowedValues::inSteps).orElse("");
  }

  /** Returns a value as in a file; strings are quoted. */
  static String text(Object value) {
    return JsonText.of(value);
  }

  private static String inSteps(Object step) {
    return " in steps of " + text(step);
  }
}
