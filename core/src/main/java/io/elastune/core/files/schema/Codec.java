package io.elastune.core.files.schema;

import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Problems;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A type of value in a file: how it is read, written and described. */
public interface Codec<T> {
  /** The value; empty if it is wrong, with at least one problem added. */
  Optional<T> read(Node node, Problems problems);

  /** The value as maps, lists, texts, numbers and truth values, such that it reads back equal. */
  Object write(T value);

  /** What it is, for people, e.g. {@code whole number of at least 1}. */
  String type();

  /** What it is, as JSON Schema (2020-12). */
  Map<String, Object> jsonSchema();

  /** The sections in it that have a description of their own. */
  default List<Section<?>> sections() {
    return List.of();
  }
}
