package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A codec for a list that may also be given as the name of a file with the list, which is replaced
 * by the list before this codec reads it.
 *
 * @param type name of the type for messages and documentation
 */
public record FileOrListCodec<E>(Codec<List<E>> list, String type) implements Codec<List<E>> {
  @Override
  public Optional<List<E>> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (yamlNode instanceof ScalarNode) {
      problemCollector.add(yamlNode, Articles.mustBe(type(), yamlNode.describe()), "");
      return Optional.empty();
    }
    return list.read(yamlNode, problemCollector);
  }

  @Override
  public Object write(List<E> value) {
    return list.write(value);
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return OrderedMaps.map("oneOf", List.of(OrderedMaps.map("type", "string"), list.jsonSchema()));
  }

  @Override
  public List<Codec<?>> parts() {
    return List.of(list);
  }
}
