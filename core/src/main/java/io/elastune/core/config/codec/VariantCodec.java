package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A codec for values with several variants: the field {@code type} selects the section.
 *
 * @param <T> common type of the variants
 * @param hints what to write in place of a type that other tools have, by the name of that type
 */
public record VariantCodec<T>(
    String type, List<Variant<? extends T>> variants, Map<String, String> hints)
    implements Codec<T> {
  private static final String TYPE = "type";

  public VariantCodec {
    variants = List.copyOf(variants);
    hints = Map.copyOf(hints);
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
      properties.put(TYPE, OrderedMaps.map("const", word));
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
  public Optional<T> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (!(yamlNode instanceof MapNode map)) {
      problemCollector.add(
          yamlNode,
          Articles.mustBe(type + " with a type", yamlNode.describe()),
          yamlNode instanceof ScalarNode scalar && !scalar.text().isBlank()
              ? "for a fixed value: {type: constant, value: " + scalar.displayText() + "}"
              : "e.g. {type: choice, values: [1, 2]}");
      return Optional.empty();
    }
    Optional<MapNode.MapEntry> mapEntry = map.find(TYPE);
    if (mapEntry.isEmpty()) {
      problemCollector.add(
          map.place(), map.pathOf(TYPE), "is missing: one of " + words(), hintFor(map));
      return Optional.empty();
    }
    String word = mapEntry.get().value() instanceof ScalarNode scalar ? scalar.text() : "";
    for (Variant<? extends T> variant : variants) {
      if (variant.word().equals(word)) {
        return variant.section().read(map.without(TYPE), problemCollector).map(value -> value);
      }
    }
    problemCollector.add(
        mapEntry.get().value(),
        "must be one of " + words() + ", not " + mapEntry.get().value().describe(),
        hint(word));
    return Optional.empty();
  }

  /** Returns the only variant that has all the given fields. */
  private String hintFor(MapNode map) {
    List<String> fitting =
        variants.stream()
            .filter(variant -> variant.section().hasAll(map.entries().keySet()))
            .map(Variant::word)
            .toList();
    return fitting.size() == 1 && !map.entries().isEmpty()
        ? "did you mean type: " + fitting.get(0) + "?"
        : "";
  }

  private String hint(String word) {
    return hints.containsKey(word)
        ? "did you mean " + hints.get(word) + "?"
        : NearestName.hint(word, variants.stream().map(Variant::word).toList());
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
    return OrderedMaps.map("oneOf", variants.stream().map(Variant::variantSchema).toList());
  }

  @Override
  public List<Codec<?>> parts() {
    return variants.stream().<Codec<?>>map(Variant::section).toList();
  }
}
