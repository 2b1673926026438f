package io.elastune.core.config;

import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.UnquotedScalars;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The text of one cell of a CSV file, whose type follows from a hyperparameter. */
record TableCell(SourcePosition place, String path, String text) {
  /** Spreadsheets execute cells that begin with one of these, unless an apostrophe precedes it. */
  static final String EXECUTED = "=+-@\t\r";

  /**
   * Returns the value as YAML would read it, unless the hyperparameter only allows it as a string.
   *
   * @param dimension the hyperparameter in {@code search.space}
   */
  YamlNode node(Optional<YamlNode> dimension) {
    return typed(dimension.flatMap(node -> SearchSection.DIMENSION.read(node, new ProblemList())));
  }

  /** Returns the first of the values that the text can mean that the hyperparameter allows. */
  YamlNode typed(Optional<Dimension> dimension) {
    YamlNode plain = plain();
    List<YamlNode> meanings = new ArrayList<>();
    if (text.startsWith("\"")) {
      meanings.addAll(yaml().stream().toList());
    }
    meanings.add(plain);
    meanings.add(string(text));
    if (text.length() > 1 && text.charAt(0) == '\'' && EXECUTED.indexOf(text.charAt(1)) >= 0) {
      meanings.add(string(text.substring(1)));
    }
    return meanings.stream()
        .filter(meaning -> value(dimension, meaning).isPresent())
        .findFirst()
        .orElse(plain);
  }

  private YamlNode string(String meaning) {
    return new ScalarNode(place, path, ScalarType.STRING, meaning);
  }

  private YamlNode plain() {
    return text.startsWith("[")
        ? yaml().orElseGet(() -> string(text))
        : UnquotedScalars.parse(place, path, text);
  }

  private Optional<YamlNode> yaml() {
    return YamlTreeReader.read(place.file(), path, text, new ProblemList());
  }

  /** Returns the value of the hyperparameter that a node means. */
  static Optional<Object> value(Optional<Dimension> dimension, YamlNode node) {
    return ConfigValueCodecs.value()
        .read(node, new ProblemList())
        .flatMap(value -> dimension.flatMap(allowed -> allowed.find(value)));
  }
}
