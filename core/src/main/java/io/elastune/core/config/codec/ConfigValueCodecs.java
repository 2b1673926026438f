package io.elastune.core.config.codec;

import io.elastune.core.NullValue;
import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Codecs for values of hyperparameters. */
public final class ConfigValueCodecs {
  private static final Codec<Object> VALUE = new ValueCodec();

  private ConfigValueCodecs() {}

  /**
   * Returns the codec for a value of any type: {@link String}, {@link Long}, {@link Double}, {@link
   * Boolean}, {@link NullValue} or a list of these.
   */
  public static Codec<Object> value() {
    return VALUE;
  }

  /** Returns the codec for one value or a list of at least one value. */
  public static Codec<List<Object>> oneOrMore() {
    return new OneOrMoreCodec(ListCodecs.distinct(VALUE));
  }

  private record ValueCodec() implements Codec<Object> {
    @Override
    public Optional<Object> read(YamlNode yamlNode, ProblemCollector problemCollector) {
      if (yamlNode instanceof ListNode list) {
        List<Object> items =
            list.items().stream().flatMap(item -> read(item, problemCollector).stream()).toList();
        return items.size() == list.items().size() ? Optional.of(items) : Optional.empty();
      }
      if (yamlNode instanceof ScalarNode scalar && scalar.kind() == ScalarType.EMPTY) {
        if (scalar.text().isEmpty()) {
          problemCollector.add(
              yamlNode, Articles.mustBe(type(), "an empty value"), "for no value, write null");
          return Optional.empty();
        }
        return Optional.of(NullValue.NULL);
      }
      if (!(yamlNode instanceof ScalarNode)) {
        problemCollector.add(yamlNode, Articles.mustBe(type(), yamlNode.describe()), "");
        return Optional.empty();
      }
      return ScalarCodecs.any().read(yamlNode, problemCollector);
    }

    @Override
    public Object write(Object value) {
      return value;
    }

    @Override
    public String type() {
      return "string, number, true, false, null or list";
    }

    @Override
    public Map<String, Object> jsonSchema() {
      return OrderedMaps.map("type", List.of("string", "number", "boolean", "null", "array"));
    }
  }

  private record OneOrMoreCodec(Codec<List<Object>> list) implements Codec<List<Object>> {
    @Override
    public Optional<List<Object>> read(YamlNode yamlNode, ProblemCollector problemCollector) {
      return yamlNode instanceof ListNode
          ? list.read(yamlNode, problemCollector)
          : VALUE.read(yamlNode, problemCollector).map(List::of);
    }

    @Override
    public Object write(List<Object> values) {
      return values.size() == 1 && !(values.get(0) instanceof List) ? values.get(0) : values;
    }

    @Override
    public String type() {
      return "value, or list of values";
    }

    @Override
    public Map<String, Object> jsonSchema() {
      return new LinkedHashMap<>(VALUE.jsonSchema());
    }
  }
}
