package io.elastune.core.files.schema;

import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Problems;
import io.elastune.core.files.tree.ScalarNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A codec for values with several variants: the field {@code type} selects the section.
 *
 * @param <T> common type of the variants
 */
public record Variants<T>(String type, List<Variant<? extends T>> variants) implements Codec<T> {
  private static final String TYPE = "type";

  public Variants {
    variants = List.copyOf(variants);
  }

  /** The section of one variant. */
  public record Variant<V>(String word, Class<V> kind, Section<V> section) {
    Optional<Map<String, Object>> write(Object value) {
      if (!kind.isInstance(value)) {
        return Optional.empty();
      }
      Map<String, Object> written = new LinkedHashMap<>();
      written.put(TYPE, word);
      written.putAll(section.write(kind.cast(value)));
      return Optional.of(written);
    }

    Map<String, Object> variantSchema() {
      Map<String, Object> schema = new LinkedHashMap<>(section.jsonSchema());
      Map<String, Object> properties = new LinkedHashMap<>();
      properties.put(TYPE, Ordered.map("const", word));
      properties.putAll(propertiesOf(schema));
      schema.put("properties", properties);
      schema.put("required", requiredWithType(schema));
      return schema;
    }

    @SuppressWarnings("unchecked") // as Section.jsonSchema() makes it
    private static Map<String, Object> propertiesOf(Map<String, Object> schema) {
      return (Map<String, Object>) schema.getOrDefault("properties", Map.of());
    }

    @SuppressWarnings("unchecked") // as Section.jsonSchema() makes it
    private static List<String> requiredWithType(Map<String, Object> schema) {
      List<String> required = (List<String>) schema.getOrDefault("required", List.of());
      return java.util.stream.Stream.concat(java.util.stream.Stream.of(TYPE), required.stream())
          .toList();
    }
  }

  @Override
  public Optional<T> read(Node node, Problems problems) {
    if (!(node instanceof MapNode map)) {
      problems.add(
          node,
          "must be a " + type + " with a type, not " + node.describe(),
          "e.g. {type: choice, values: [1, 2]}");
      return Optional.empty();
    }
    Optional<MapNode.Entry> entry = map.find(TYPE);
    if (entry.isEmpty()) {
      problems.add(map.place(), map.pathOf(TYPE), "is missing: one of " + words(), "");
      return Optional.empty();
    }
    String word = entry.get().value() instanceof ScalarNode scalar ? scalar.text() : "";
    for (Variant<? extends T> variant : variants) {
      if (variant.word().equals(word)) {
        return variant.section().read(map.without(TYPE), problems).map(value -> value);
      }
    }
    problems.add(
        entry.get().value(),
        "must be one of " + words() + ", not " + entry.get().value().describe(),
        Nearest.hint(word, variants.stream().map(Variant::word).toList()));
    return Optional.empty();
  }

  private String words() {
    return String.join(", ", variants.stream().map(Variant::word).toList());
  }

  @Override
  public Object write(T value) {
    return variants.stream()
        .flatMap(variant -> variant.write(value).stream())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no variant for " + value));
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return Ordered.map("oneOf", variants.stream().map(Variant::variantSchema).toList());
  }

  @Override
  public List<Codec<?>> parts() {
    return variants.stream().<Codec<?>>map(Variant::section).toList();
  }
}
