package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.FieldValues.ValuePart;
import io.elastune.core.config.codec.FileOrListCodec;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks the configurations of {@code search.configs} against the search space. */
final class ConfigurationRules {
  private static final Codec<Map<String, Object>> ITEM =
      MapCodecs.nonEmpty(
          DimensionSections.NAME, DimensionSections.NAME_TYPE, ConfigValueCodecs.value());

  /** The codec of {@code search.configs}. */
  static final Codec<List<Map<String, Object>>> CODEC =
      new FileOrListCodec<>(
          ListCodecs.nonEmpty(ITEM), "list of maps, or a .yaml, .json or .csv file");

  private final FieldValues fieldValues;
  private final Map<String, Dimension> space;

  ConfigurationRules(FieldValues fieldValues, Map<String, Dimension> space) {
    this.fieldValues = fieldValues;
    this.space = space;
  }

  /** Reports all values that the search space does not allow, and duplicates. */
  void check(List<ValuePart<Map<String, Object>>> configurations) {
    List<Map<String, Object>> before = new ArrayList<>();
    for (ValuePart<Map<String, Object>> part : configurations) {
      MapNode node = (MapNode) part.node();
      part.value().forEach((name, value) -> checkValue(value(node, name, value)));
      Map<String, Object> typed = typed(space, part.value());
      checkConditions(node, typed);
      boolean valid = typed.size() == part.value().size();
      int first = valid ? before.indexOf(typed) : -1;
      if (first >= 0) {
        fieldValues.problem(
            part,
            "is the same as search.configs[%d] on line %d"
                .formatted(first, configurations.get(first).node().place().line()),
            "remove one of them");
      }
      before.add(typed);
    }
  }

  static Codec<Map<String, Object>> item() {
    return ITEM;
  }

  /**
   * Returns the configuration with the types of the hyperparameters and in their order; without the
   * values that are not allowed.
   */
  static Map<String, Object> typed(Map<String, Dimension> space, Map<String, Object> given) {
    Map<String, Object> typed = new LinkedHashMap<>();
    space.forEach(
        (name, dimension) ->
            Optional.ofNullable(given.get(name))
                .flatMap(dimension::find)
                .ifPresent(value -> typed.put(name, value)));
    return typed;
  }

  private static ValuePart<Object> value(MapNode node, String name, Object value) {
    return new ValuePart<>(name, node.find(name).map(MapNode.MapEntry::value).orElseThrow(), value);
  }

  private void checkValue(ValuePart<Object> part) {
    Dimension dimension = space.get(part.name());
    if (dimension == null) {
      String near = NearestName.hint(part.name(), space.keySet());
      fieldValues.problem(
          part,
          "is not a hyperparameter of search.space",
          near.isEmpty() ? "known: " + String.join(", ", space.keySet()) : near);
    } else if (dimension.find(part.value()).isEmpty()) {
      fieldValues.problem(
          part,
          "must be " + AllowedValues.of(dimension) + ", not " + AllowedValues.text(part.value()),
          "change the value, or search.space." + part.name());
    }
  }

  /** A value whose hyperparameter is not used with the others would have no effect. */
  private void checkConditions(MapNode node, Map<String, Object> typed) {
    Map<String, Object> known = new LinkedHashMap<>();
    space.forEach(
        (name, dimension) -> {
          if (typed.containsKey(name) && !dimension.when().isMetBy(known)) {
            reportUnused(value(node, name, typed.get(name)), dimension.when(), typed, known);
          } else if (typed.containsKey(name)) {
            known.put(name, typed.get(name));
          } else if (dimension instanceof Dimension.Constant constant
              && dimension.when().isMetBy(known)) {
            known.put(name, constant.value());
          }
        });
  }

  private void reportUnused(
      ValuePart<Object> part,
      Condition when,
      Map<String, Object> typed,
      Map<String, Object> known) {
    List<String> missing =
        when.allowed().keySet().stream()
            .filter(name -> !known.containsKey(name) && !typed.containsKey(name))
            .toList();
    String rule =
        when.allowed().entrySet().stream()
            .map(entry -> entry.getKey() + ": " + AllowedValues.text(entry.getValue()))
            .collect(Collectors.joining(", "));
    fieldValues.problem(
        part,
        "is used only when " + rule,
        missing.isEmpty()
            ? "leave it out, or change the other value"
            : "give " + String.join(" and ", missing) + " too");
  }
}
