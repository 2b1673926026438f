package io.elastune.core.config;

import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.UnquotedScalars;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import io.elastune.core.job.Dimension;
import java.util.Optional;

/** The text of one cell of a CSV file, whose type follows from a hyperparameter. */
record TableCell(SourcePosition place, String path, String text) {
  /**
   * Returns the value as YAML would read it, unless the hyperparameter only allows it as a string.
   *
   * @param dimension the hyperparameter in {@code search.space}
   */
  YamlNode node(Optional<YamlNode> dimension) {
    YamlNode plain = plain();
    YamlNode string = new ScalarNode(place, path, ScalarType.STRING, text);
    Optional<Dimension> allowed =
        dimension.flatMap(node -> SearchSection.DIMENSION.read(node, new ProblemList()));
    return !isAllowed(allowed, plain) && isAllowed(allowed, string) ? string : plain;
  }

  private YamlNode plain() {
    return text.startsWith("[")
        ? YamlTreeReader.read(place.file(), path, text, new ProblemList())
            .orElseGet(() -> new ScalarNode(place, path, ScalarType.STRING, text))
        : UnquotedScalars.parse(place, path, text);
  }

  private static boolean isAllowed(Optional<Dimension> dimension, YamlNode node) {
    return ConfigValueCodecs.value()
        .read(node, new ProblemList())
        .flatMap(value -> dimension.flatMap(allowed -> allowed.find(value)))
        .isPresent();
  }
}
