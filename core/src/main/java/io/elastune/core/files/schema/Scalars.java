package io.elastune.core.files.schema;

import io.elastune.core.files.tree.ScalarNode;
import io.elastune.core.files.tree.ScalarNode.Kind;
import java.util.List;
import java.util.Locale;

/** Codecs for booleans and for values of several types. */
public final class Scalars {
  private Scalars() {}

  /** Returns the codec for true or false. */
  public static Codec<Boolean> trueOrFalse() {
    return new ScalarCodec<>(
        "true | false", Ordered.map("type", "boolean"), Scalars::readTruth, value -> value);
  }

  private static Reading<Boolean> readTruth(ScalarNode scalar) {
    String lower = scalar.text().toLowerCase(Locale.ROOT);
    if (scalar.kind() == Kind.TRUE_OR_FALSE) {
      return Reading.right(lower.equals("true"));
    }
    String hint =
        switch (lower) {
          case "yes", "on", "y", "1", "true" -> "did you mean true?";
          case "no", "off", "n", "0", "false" -> "did you mean false?";
          default -> "";
        };
    return Reading.wrong("must be true or false, not " + scalar.describe(), hint);
  }

  /**
   * Returns the codec for a string, number or boolean: {@link String}, {@link Long}, {@link
   * Double}, {@link Boolean}.
   */
  public static Codec<Object> any() {
    return new ScalarCodec<>(
        "string, number, true or false",
        Ordered.map("type", List.of("string", "number", "boolean")),
        Scalars::readAny,
        value -> value);
  }

  private static Reading<Object> readAny(ScalarNode scalar) {
    return switch (scalar.kind()) {
      case WHOLE_NUMBER -> of(Numbers.wholeOf64Bits(), scalar);
      case NUMBER -> of(Numbers.finite(), scalar);
      case TRUE_OR_FALSE -> of(trueOrFalse(), scalar);
      case TEXT, NOTHING -> of(Texts.textOrEmpty(), scalar);
    };
  }

  private static <T> Reading<Object> of(Codec<T> codec, ScalarNode scalar) {
    Reading<T> reading = ((ScalarCodec<T>) codec).reader().apply(scalar);
    return new Reading<>(reading.value().map(v -> v), reading.message(), reading.hint());
  }
}
