package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.UnquotedScalars;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import java.util.Optional;

/** Reads the default values of annotations. */
final class DefaultText {
  private DefaultText() {}

  /**
   * Returns the value of a text as in a file.
   *
   * @param place whose default it is, for the message
   * @throws IllegalArgumentException if the codec refuses it
   */
  static <T> T read(Object place, String text, Codec<T> codec) {
    ProblemCollector problems = FieldValues.discardingProblems();
    Optional<YamlNode> node =
        text.startsWith("{") || text.startsWith("[")
            ? YamlTreeReader.read("", text, problems)
            : Optional.of(UnquotedScalars.parse(new SourcePosition("", 0), "", text));
    return node.flatMap(value -> codec.read(value, problems))
        .orElseThrow(
            () -> new IllegalArgumentException("invalid default of " + place + ": " + text));
  }
}
