package io.elastune.core.files.schema;

import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Problems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Codecs for maps from names that the user chooses to values of one type. */
public final class Maps {
  private Maps() {}

  /**
   * Returns the codec for a map that may be empty.
   *
   * @param names the allowed names
   * @param nameType description of the names for messages
   */
  public static <V> Codec<Map<String, V>> of(Pattern names, String nameType, Codec<V> values) {
    return new MapCodec<>(names, nameType, values, 0);
  }

  /** Returns the codec for a map with at least one entry. */
  public static <V> Codec<Map<String, V>> ofSome(Pattern names, String nameType, Codec<V> values) {
    return new MapCodec<>(names, nameType, values, 1);
  }

  private record MapCodec<V>(Pattern names, String nameType, Codec<V> values, int least)
      implements Codec<Map<String, V>> {
    @Override
    public Optional<Map<String, V>> read(Node node, Problems problems) {
      if (!(node instanceof MapNode map)) {
        problems.add(node, "must be a map, not " + node.describe(), "");
        return Optional.empty();
      }
      int before = problems.count();
      if (map.entries().size() < least) {
        problems.add(node, "must have at least one entry", "");
      }
      Map<String, V> result = new LinkedHashMap<>();
      for (MapNode.Entry entry : map.entries().values()) {
        if (!names.matcher(entry.name()).matches()) {
          String message = "the name must be " + nameType + ", not \"" + entry.name() + "\"";
          problems.add(entry.place(), map.pathOf(entry.name()), message, "");
        }
        values.read(entry.value(), problems).ifPresent(value -> result.put(entry.name(), value));
      }
      return problems.count() == before ? Optional.of(result) : Optional.empty();
    }

    @Override
    public Object write(Map<String, V> value) {
      Map<String, Object> written = new LinkedHashMap<>();
      value.forEach((name, item) -> written.put(name, values.write(item)));
      return written;
    }

    @Override
    public String type() {
      return "map, each value a " + values.type();
    }

    @Override
    public Map<String, Object> jsonSchema() {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("type", "object");
      schema.put("propertyNames", Ordered.map("pattern", "^(?:" + names.pattern() + ")$"));
      schema.put("additionalProperties", values.jsonSchema());
      if (least > 0) {
        schema.put("minProperties", least);
      }
      return schema;
    }

    @Override
    public List<Codec<?>> parts() {
      return List.of(values);
    }
  }
}
