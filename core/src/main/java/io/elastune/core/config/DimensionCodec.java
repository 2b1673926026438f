package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.VariantCodec;
import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.MapNode.MapEntry;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one hyperparameter of {@code search.space}: a map with a type, or a list of values, which
 * is a choice. Explains what other tools write differently.
 */
record DimensionCodec(VariantCodec<Dimension> variants) implements Codec<Dimension> {
  private static final String TYPE = "type";
  private static final String LOG = "log";

  @Override
  public Optional<Dimension> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (yamlNode instanceof ListNode list) {
      return ListCodecs.distinct(ConfigValueCodecs.value())
          .read(list, problemCollector)
          .map(Dimension.Choice::new);
    }
    if (!(yamlNode instanceof MapNode map)) {
      return variants.read(yamlNode, problemCollector);
    }
    Optional<MapEntry> log = map.find(LOG);
    String type = text(map, TYPE);
    boolean isLog = log.isPresent() && text(map, LOG).equalsIgnoreCase("true");
    if (isLog && List.of("float", "double").contains(type)) {
      problemCollector.add(
          map.find(TYPE).orElseThrow().value(),
          "must be a type of Elastune, not the string \"" + type + "\"",
          "did you mean loguniform? leave log out then");
      return Optional.empty();
    }
    if (log.isPresent() && List.of("uniform", "normal").contains(type)) {
      problemCollector.add(
          log.get().place(),
          map.pathOf(LOG),
          "is not a field of " + type,
          isLog ? "did you mean type: log" + type + "?" : "leave it out");
      return Optional.empty();
    }
    return variants.read(map, problemCollector);
  }

  private static String text(MapNode map, String name) {
    return map.find(name)
        .map(MapEntry::value)
        .filter(ScalarNode.class::isInstance)
        .map(value -> ((ScalarNode) value).text())
        .orElse("");
  }

  @Override
  public Object write(Dimension value) {
    return variants.write(value);
  }

  @Override
  public String type() {
    return variants.type();
  }

  @Override
  @SuppressWarnings("unchecked") // as VariantCodec makes it
  public Map<String, Object> jsonSchema() {
    Map<String, Object> schema = new LinkedHashMap<>(variants.jsonSchema());
    List<Object> forms = new ArrayList<>((List<Object>) schema.getOrDefault("oneOf", List.of()));
    forms.add(ListCodecs.distinct(ConfigValueCodecs.value()).jsonSchema());
    schema.put("oneOf", forms);
    return schema;
  }

  @Override
  public List<Codec<?>> parts() {
    return variants.parts();
  }
}
