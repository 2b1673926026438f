package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads, writes and describes one type of value in a file. */
public interface Codec<T> {
  /** Returns the value; empty if it is invalid, after adding at least one problem. */
  Optional<T> read(YamlNode yamlNode, ProblemCollector problemCollector);

  /**
   * Returns the value as maps, lists, strings, numbers and booleans, from which {@link #read}
   * returns an equal value.
   */
  Object write(T value);

  /**
   * Returns the name of the type for messages and documentation, e.g. {@code whole number of at
   * least 1}.
   */
  String type();

  /** Returns the JSON Schema (2020-12) of the type. */
  Map<String, Object> jsonSchema();

  /** Returns the codecs of the parts of a value, e.g. of the items of a list. */
  default List<Codec<?>> parts() {
    return List.of();
  }
}
