package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import java.util.List;
import java.util.Locale;

/** Codecs for booleans and for values of several types. */
public final class ScalarCodecs {
  private ScalarCodecs() {}

  /** Returns the codec for true or false. */
  public static Codec<Boolean> trueOrFalse() {
    return new ScalarCodec<>(
        "true | false",
        OrderedMaps.map("type", "boolean"),
        ScalarCodecs::readTruth,
        value -> value);
  }

  private static ReadResult<Boolean> readTruth(ScalarNode scalar) {
    String lower = scalar.text().toLowerCase(Locale.ROOT);
    if (scalar.kind() == ScalarType.BOOLEAN) {
      return ReadResult.valid(lower.equals("true"));
    }
    String hint =
        switch (lower) {
          case "yes", "on", "y", "1", "true" -> "did you mean true?";
          case "no", "off", "n", "0", "false" -> "did you mean false?";
          default -> "";
        };
    return ReadResult.invalid("must be true or false, not " + scalar.describe(), hint);
  }

  /**
   * Returns the codec for a string, number or boolean: {@link String}, {@link Long}, {@link
   * Double}, {@link Boolean}.
   */
  public static Codec<Object> any() {
    return new ScalarCodec<>(
        "string, number, true or false",
        OrderedMaps.map("type", List.of("string", "number", "boolean")),
        ScalarCodecs::readAny,
        value -> value);
  }

  private static ReadResult<Object> readAny(ScalarNode scalar) {
    return switch (scalar.kind()) {
      case WHOLE_NUMBER -> of(NumberCodecs.wholeNumber64(), scalar);
      case NUMBER -> of(NumberCodecs.finite(), scalar);
      case BOOLEAN -> of(trueOrFalse(), scalar);
      case STRING, EMPTY -> of(StringCodecs.textOrEmpty(), scalar);
    };
  }

  private static <T> ReadResult<Object> of(Codec<T> codec, ScalarNode scalar) {
    ReadResult<T> readResult = ((ScalarCodec<T>) codec).reader().apply(scalar);
    return new ReadResult<>(
        readResult.value().map(v -> v), readResult.message(), readResult.hint());
  }
}
