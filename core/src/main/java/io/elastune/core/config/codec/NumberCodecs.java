package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Codecs for numbers. They round nothing and do not convert quoted numbers. */
public final class NumberCodecs {
  private static final double EXACT_WHOLE_BELOW = 1e15;

  private NumberCodecs() {}

  /** Returns the codec for a whole number in a range, both ends included. */
  public static Codec<Integer> wholeNumber(int least, int most) {
    ScalarCodec<Long> wide = wide(wholeType(least, most), least, most);
    return new ScalarCodec<>(
        wide.type(),
        wide.jsonSchema(),
        scalar -> {
          ReadResult<Long> readResult = wide.reader().apply(scalar);
          return new ReadResult<>(
              readResult.value().map(Math::toIntExact), readResult.message(), readResult.hint());
        },
        value -> (long) value);
  }

  private static String wholeType(int least, int most) {
    return most == Integer.MAX_VALUE
        ? "whole number of at least " + least
        : "whole number from " + least + " to " + most;
  }

  /** Returns the codec for any 64-bit whole number. */
  public static Codec<Long> wholeNumber64() {
    return wide("whole number", Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Returns the codec for a 64-bit whole number of at least {@code least}. */
  public static Codec<Long> wholeNumber64(long least) {
    return wide("whole number of at least " + least, least, Long.MAX_VALUE);
  }

  private static ScalarCodec<Long> wide(String type, long least, long most) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "integer");
    if (least != Long.MIN_VALUE) {
      schema.put("minimum", least);
    }
    if (most != Long.MAX_VALUE && most != Integer.MAX_VALUE) {
      schema.put("maximum", most);
    }
    return new ScalarCodec<>(type, schema, scalar -> readWhole(scalar, type, least, most), v -> v);
  }

  private static ReadResult<Long> readWhole(ScalarNode scalar, String type, long least, long most) {
    if (scalar.kind() != ScalarType.WHOLE_NUMBER) {
      return ReadResult.invalid(
          Articles.mustBe(type, scalar.describe()),
          scalar.kind() == ScalarType.NUMBER
              ? plainHint(scalar, least, most)
              : unquoteHint(scalar, ScalarType.WHOLE_NUMBER));
    }
    BigInteger value = wholeValue(scalar.text());
    if (value.compareTo(BigInteger.valueOf(least)) < 0
        || value.compareTo(BigInteger.valueOf(most)) > 0) {
      return ReadResult.invalid(
          "must be " + range(value, type, least, most) + ", not " + scalar.displayText());
    }
    return ReadResult.valid(value.longValueExact());
  }

  /**
   * Returns the type, or the upper bound if the value exceeds a bound that the type does not name.
   */
  private static String range(BigInteger value, String type, long least, long most) {
    if (least == Long.MIN_VALUE) {
      return "a 64-bit whole number";
    }
    boolean unnamed = most == Integer.MAX_VALUE && value.compareTo(BigInteger.valueOf(most)) > 0;
    return unnamed ? "at most " + most : Articles.with(type);
  }

  /** Returns the value of a whole number in any YAML notation. */
  static BigInteger wholeValue(String text) {
    if (text.startsWith("0x")) {
      return new BigInteger(text.substring(2), 16);
    }
    return text.startsWith("0o") ? new BigInteger(text.substring(2), 8) : new BigInteger(text);
  }

  /** Returns the codec for a finite number above zero. */
  public static Codec<Double> above0() {
    String type = "number above 0";
    return number(type, OrderedMaps.map("type", "number", "exclusiveMinimum", 0))
        .that(type, value -> value > 0 ? ReadResult.valid(value) : notAbove0(value));
  }

  /**
   * Returns the codec for a number above zero and at most {@code most}. The type does not name this
   * high limit; only the message about a larger value does.
   */
  public static Codec<Double> above0(double most, String unit) {
    String type = "number above 0" + suffix(unit);
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "number");
    schema.put("exclusiveMinimum", 0);
    schema.put("maximum", pretty(most));
    return number(type, schema)
        .that(type, value -> value > 0 ? notAbove(most, value) : notAbove0(value));
  }

  /**
   * Returns the codec for a number from {@code least}, which is at least 0, to {@code most}, which
   * may be infinite. The type does not name this high limit; only the message about a larger value
   * does.
   */
  public static Codec<Double> between(double least, double most, String unit) {
    String type = "number of at least " + format(least) + suffix(unit);
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "number");
    schema.put("minimum", pretty(least));
    if (Double.isFinite(most)) {
      schema.put("maximum", pretty(most));
    }
    return number(type, schema)
        .that(
            type,
            value ->
                value >= least
                    ? notAbove(most, value)
                    : least > 0 && value <= 0 ? notAbove0(value) : below(least, value));
  }

  private static ReadResult<Double> notAbove(double most, double value) {
    return value <= most
        ? ReadResult.valid(value)
        : ReadResult.invalid("must be at most " + format(most) + ", not " + format(value));
  }

  private static ReadResult<Double> notAbove0(double value) {
    return ReadResult.invalid("must be above 0, not " + format(value));
  }

  private static ReadResult<Double> below(double least, double value) {
    return ReadResult.invalid("must be at least " + format(least) + ", not " + format(value));
  }

  /** Returns the codec for any finite number. */
  public static Codec<Double> finite() {
    return number("number", OrderedMaps.map("type", "number"));
  }

  private static String suffix(String unit) {
    return unit.isEmpty() ? "" : ", in " + unit;
  }

  private static ScalarCodec<Double> number(String type, Map<String, Object> schema) {
    return new ScalarCodec<>(
        type, schema, scalar -> readNumber(scalar, type), NumberCodecs::pretty);
  }

  private static ReadResult<Double> readNumber(ScalarNode scalar, String type) {
    Optional<Double> value = numberValue(scalar);
    if (value.isEmpty()) {
      return ReadResult.invalid(
          Articles.mustBe(type, scalar.describe()), unquoteHint(scalar, ScalarType.NUMBER));
    }
    return Double.isFinite(value.get())
        ? ReadResult.valid(value.get())
        : ReadResult.invalid("must be a finite number, not " + scalar.displayText());
  }

  /** Returns the value of any number, including infinity and NaN. */
  static Optional<Double> numberValue(ScalarNode scalar) {
    return switch (scalar.kind()) {
      case WHOLE_NUMBER -> Optional.of(wholeValue(scalar.text()).doubleValue());
      case NUMBER -> Optional.of(parseNumber(scalar.text()));
      case STRING, BOOLEAN, EMPTY -> Optional.empty();
    };
  }

  private static double parseNumber(String text) {
    String lower = text.toLowerCase(java.util.Locale.ROOT);
    if (lower.endsWith(".nan")) {
      return Double.NaN;
    }
    if (lower.endsWith(".inf")) {
      return lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return Double.parseDouble(text);
  }

  /** Returns a hint for 1e3 and 4.0: they are whole, but YAML reads no whole numbers in them. */
  private static String plainHint(ScalarNode scalar, long least, long most) {
    return pretty(parseNumber(scalar.text())) instanceof Long value
            && value >= least
            && value <= most
        ? "did you mean " + value + "?"
        : "";
  }

  /** Returns a hint if a quoted string would be valid without its quotes. */
  private static String unquoteHint(ScalarNode scalar, ScalarType wanted) {
    boolean whole = scalar.text().matches("-?(0|[1-9][0-9]{0,8})");
    boolean number = whole || scalar.text().matches("-?[0-9]{1,9}\\.[0-9]{1,9}");
    boolean right = wanted == ScalarType.WHOLE_NUMBER ? whole : number;
    if (scalar.kind() == ScalarType.STRING
        && scalar.text().matches("-?[1-9][0-9]{0,2}(_[0-9]{1,9})+")) {
      return "did you mean " + scalar.text().replace("_", "") + "?";
    }
    return scalar.kind() == ScalarType.STRING && right
        ? "did you mean " + scalar.text() + " without quotes?"
        : "";
  }

  /** Returns a {@link Long} if the value has no fractional part, otherwise the value. */
  static Object pretty(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < EXACT_WHOLE_BELOW;
    boolean negativeZero = value == 0 && 1 / value < 0;
    return whole && !negativeZero ? (Object) (long) value : (Object) value;
  }

  /** Returns the value formatted for messages. */
  public static String format(double value) {
    Object pretty = pretty(value);
    return pretty instanceof Long
        ? pretty.toString()
        : BigDecimal.valueOf(value)
            .stripTrailingZeros()
            .toString()
            .replace("E+", "e")
            .replace('E', 'e');
  }
}
