package io.elastune.cli.imports;

import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlWriter;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number of an imported file.
 *
 * @param text as a job file has it
 */
record FileNumber(String text, double value) {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?");

  /** Returns a computed number. */
  static FileNumber of(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return new FileNumber(whole ? String.valueOf((long) value) : YamlWriter.flow(value), value);
  }

  /** Returns a number, also one that is written as a string; empty for any other value. */
  static Optional<FileNumber> of(YamlNode node) {
    return node instanceof ScalarNode scalar && scalar.kind() != ScalarType.BOOLEAN
        ? of(scalar.text())
        : Optional.empty();
  }

  /** Returns a text as a number; empty if it is none. */
  static Optional<FileNumber> of(String text) {
    String plain = text.strip();
    if (!NUMBER.matcher(plain).matches()) {
      return Optional.empty();
    }
    double value = Double.parseDouble(plain);
    return Double.isFinite(value) ? Optional.of(new FileNumber(plain, value)) : Optional.empty();
  }

  /** Returns whether it is written without a fraction. */
  boolean isWhole() {
    return text.matches("[+-]?\\d+");
  }

  /** Returns the same number without a fraction, if it has none. */
  FileNumber whole() {
    return value == Math.rint(value)
        ? new FileNumber(new BigDecimal(text).toBigInteger().toString(), value)
        : this;
  }
}
