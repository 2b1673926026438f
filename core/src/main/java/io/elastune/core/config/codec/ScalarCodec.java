package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.YamlNode;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A codec for single values. */
record ScalarCodec<T>(
    String type,
    Map<String, Object> jsonSchema,
    Function<ScalarNode, ReadResult<T>> reader,
    Function<T, Object> writer)
    implements Codec<T> {

  @Override
  public Optional<T> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (yamlNode instanceof ScalarNode scalar && scalar.kind() != ScalarType.EMPTY) {
      ReadResult<T> readResult = reader.apply(scalar);
      if (readResult.value().isEmpty()) {
        problemCollector.add(yamlNode, readResult.message(), readResult.hint());
      }
      return readResult.value();
    }
    String hint = yamlNode instanceof ScalarNode ? "leave the field out, or give a value" : "";
    problemCollector.add(yamlNode, Articles.mustBe(type, yamlNode.describe()), hint);
    return Optional.empty();
  }

  @Override
  public Object write(T value) {
    return writer.apply(value);
  }

  /** Returns this codec with an additional validation. */
  ScalarCodec<T> that(String newType, Function<T, ReadResult<T>> demand) {
    return new ScalarCodec<>(
        newType,
        jsonSchema,
        scalar -> {
          ReadResult<T> readResult = reader.apply(scalar);
          return readResult.value().isEmpty() ? readResult : demand.apply(readResult.value().get());
        },
        writer);
  }

  ScalarCodec<T> withJsonSchema(Map<String, Object> schema) {
    return new ScalarCodec<>(type, schema, reader, writer);
  }
}
