package io.elastune.core;

/**
 * Argument checks for the compact constructors of records. A failed check names the field and its
 * value.
 */
public final class Preconditions {
  private Preconditions() {}

  /** Requires a finite number of at least zero. */
  public static double notNegative(String field, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(field + " must be a number of at least 0, not " + value);
    }
    return value;
  }

  /** Requires a finite number above zero. */
  public static double positive(String field, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(field + " must be a number above 0, not " + value);
    }
    return value;
  }

  /** Requires a whole number of at least {@code least}. */
  public static int atLeast(String field, int least, int value) {
    if (value < least) {
      throw new IllegalArgumentException(field + " must be at least " + least + ", not " + value);
    }
    return value;
  }

  /** Requires a probability: 0 to 1, both included. */
  public static double fraction(String field, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(field + " must be between 0 and 1, not " + value);
    }
    return value;
  }

  /** Requires a string that is not blank. */
  public static String text(String field, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(field + " must not be empty");
    }
    return value;
  }

  /** Requires {@code condition}; otherwise throws with {@code message}. */
  public static void that(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
