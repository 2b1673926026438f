package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A codec for values that files contain as values of another type.
 *
 * @param <F> the type in the file
 * @param <T> the type in the program
 * @param codec the codec of the type in the file
 */
public record MappedCodec<F, T>(Codec<F> codec, Function<F, T> fromFile, Function<T, F> toFile)
    implements Codec<T> {
  @Override
  public Optional<T> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    return codec.read(yamlNode, problemCollector).map(fromFile);
  }

  @Override
  public Object write(T value) {
    return codec.write(toFile.apply(value));
  }

  @Override
  public String type() {
    return codec.type();
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return codec.jsonSchema();
  }

  @Override
  public List<Codec<?>> parts() {
    return List.of(codec);
  }
}
