package io.elastune.core.files.schema;

import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Problems;
import io.elastune.core.files.tree.ScalarNode;
import io.elastune.core.files.tree.ScalarNode.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A codec for single values. */
record ScalarCodec<T>(
    String type,
    Map<String, Object> jsonSchema,
    Function<ScalarNode, Reading<T>> reader,
    Function<T, Object> writer)
    implements Codec<T> {

  @Override
  public Optional<T> read(Node node, Problems problems) {
    if (node instanceof ScalarNode scalar && scalar.kind() != Kind.NOTHING) {
      Reading<T> reading = reader.apply(scalar);
      if (reading.value().isEmpty()) {
        problems.add(node, reading.message(), reading.hint());
      }
      return reading.value();
    }
    String hint = node instanceof ScalarNode ? "leave the field out, or give a value" : "";
    problems.add(node, "must be a " + type + ", not " + node.describe(), hint);
    return Optional.empty();
  }

  @Override
  public Object write(T value) {
    return writer.apply(value);
  }

  /** Returns this codec with an additional validation. */
  ScalarCodec<T> that(String newType, Function<T, Reading<T>> demand) {
    return new ScalarCodec<>(
        newType,
        jsonSchema,
        scalar -> {
          Reading<T> reading = reader.apply(scalar);
          return reading.value().isEmpty() ? reading : demand.apply(reading.value().get());
        },
        writer);
  }

  ScalarCodec<T> withJsonSchema(Map<String, Object> schema) {
    return new ScalarCodec<>(type, schema, reader, writer);
  }
}
