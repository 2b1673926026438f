package io.elastune.core.field;

import io.elastune.core.time.Durations;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The allowed numbers of a field, or of the items of its list. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Bounds {
  /** The largest amount of money in a file, in USD: no sum of such amounts overflows. */
  double MOST_USD = 1e9;

  /** The longest time in a file, in seconds: 3650 days. */
  double MOST_S = Durations.LONGEST_S;

  /** The largest coefficient of variation in a file. */
  double MOST_CV = 100;

  /** The smallest allowed number. */
  double least() default Double.NEGATIVE_INFINITY;

  /** Whether a number must be above 0, instead of {@link #least}. */
  boolean above0() default false;

  /** The largest allowed number. */
  double most() default Double.POSITIVE_INFINITY;

  /** The unit, for the documentation; empty for numbers without. */
  String unit() default "";
}
