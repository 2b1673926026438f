package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Codecs for lists of values of one type. */
public final class ListCodecs {
  private ListCodecs() {}

  /** Returns the codec for a list that may be empty. */
  public static <E> Codec<List<E>> of(Codec<E> element) {
    return new ListCodec<>(element, 0, false);
  }

  /** Returns the codec for a list with at least one value. */
  public static <E> Codec<List<E>> nonEmpty(Codec<E> element) {
    return new ListCodec<>(element, 1, false);
  }

  /** Returns the codec for a list with at least one value and no duplicates. */
  public static <E> Codec<List<E>> distinct(Codec<E> element) {
    return new ListCodec<>(element, 1, true);
  }

  private record ListCodec<E>(Codec<E> element, int least, boolean distinct)
      implements Codec<List<E>> {
    @Override
    public Optional<List<E>> read(YamlNode yamlNode, ProblemCollector problemCollector) {
      if (!(yamlNode instanceof ListNode list)) {
        problemCollector.add(
            yamlNode, Articles.mustBe(type(), yamlNode.describe()), bracketHint(yamlNode));
        return Optional.empty();
      }
      if (list.items().size() < least) {
        problemCollector.add(
            yamlNode, "must not be empty", "leave the field out, or list at least one value");
        return Optional.empty();
      }
      List<E> values = new ArrayList<>();
      Set<E> seen = new HashSet<>();
      for (YamlNode item : list.items()) {
        Optional<E> value = element.read(item, problemCollector);
        if (distinct && value.isPresent() && !seen.add(value.get())) {
          problemCollector.add(item, "is given twice", "");
        }
        value.ifPresent(values::add);
      }
      return values.size() == list.items().size() ? Optional.of(values) : Optional.empty();
    }

    private static String bracketHint(YamlNode yamlNode) {
      return yamlNode instanceof io.elastune.core.config.yaml.ScalarNode scalar
              && !scalar.text().isBlank()
          ? "did you mean [" + scalar.displayText() + "]?"
          : "";
    }

    @Override
    public Object write(List<E> value) {
      return value.stream().map(element::write).toList();
    }

    @Override
    public String type() {
      return "list, each item " + Articles.with(element.type());
    }

    @Override
    public Map<String, Object> jsonSchema() {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("type", "array");
      schema.put("items", element.jsonSchema());
      if (least > 0) {
        schema.put("minItems", least);
      }
      if (distinct) {
        schema.put("uniqueItems", true);
      }
      return schema;
    }

    @Override
    public List<Codec<?>> parts() {
      return List.of(element);
    }
  }
}
