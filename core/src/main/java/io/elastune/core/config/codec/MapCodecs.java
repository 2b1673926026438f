package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Codecs for maps from names that the user chooses to values of one type. */
public final class MapCodecs {
  private MapCodecs() {}

  /**
   * Returns the codec for a map that may be empty.
   *
   * @param names the allowed names
   * @param nameType description of the names for messages
   */
  public static <V> Codec<Map<String, V>> of(Pattern names, String nameType, Codec<V> values) {
    return new MapCodec<>(names, nameType, Optional.empty(), values, 0);
  }

  /** Returns the codec for a map with at least one entry. */
  public static <V> Codec<Map<String, V>> nonEmpty(
      Pattern names, String nameType, Codec<V> values) {
    return new MapCodec<>(names, nameType, Optional.empty(), values, 1);
  }

  /**
   * Returns the codec for a map with at least one entry, whose names are usually in a list.
   *
   * @param listed the names, such as all regions of a cloud
   */
  public static <V> Codec<Map<String, V>> nonEmpty(
      Pattern names, String nameType, ListedNames listed, Codec<V> values) {
    return new MapCodec<>(names, nameType, Optional.of(listed), values, 1);
  }

  /**
   * The names that entries of a map usually have. A name that is not listed is probably mistyped.
   *
   * @param names the names
   * @param unlisted what a name is that is not listed, for messages: {@code is no region of AWS}
   * @param permission the boolean field of an entry that permits any name for it
   */
  public record ListedNames(Set<String> names, String unlisted, String permission) {
    private static final Codec<Boolean> TRUTH = ScalarCodecs.trueOrFalse();

    public ListedNames {
      names = Set.copyOf(names);
    }

    private Optional<String> hint(MapNode.MapEntry entry) {
      boolean isPermitted =
          entry.value() instanceof MapNode fields
              && fields
                  .find(permission)
                  .map(MapNode.MapEntry::value)
                  .flatMap(value -> TRUTH.read(value, FieldValues.discardingProblems()))
                  .orElse(false);
      if (isPermitted || names.contains(entry.name())) {
        return Optional.empty();
      }
      String nearest = NearestName.hint(entry.name(), names);
      return Optional.of(
          (nearest.isEmpty() ? "" : nearest + " ")
              + "Set "
              + permission
              + ": true in it to use it nevertheless");
    }
  }

  private record MapCodec<V>(
      Pattern names, String nameType, Optional<ListedNames> listed, Codec<V> values, int least)
      implements Codec<Map<String, V>> {
    @Override
    public Optional<Map<String, V>> read(YamlNode yamlNode, ProblemCollector problemCollector) {
      if (!(yamlNode instanceof MapNode map)) {
        problemCollector.add(yamlNode, "must be a map, not " + yamlNode.describe(), "");
        return Optional.empty();
      }
      int before = problemCollector.count();
      if (map.entries().size() < least) {
        problemCollector.add(yamlNode, "must have at least one entry", "");
      }
      Map<String, V> result = new LinkedHashMap<>();
      for (MapNode.MapEntry mapEntry : map.entries().values()) {
        if (!names.matcher(mapEntry.name()).matches()) {
          problemCollector.add(
              mapEntry.place(), map.pathOf(mapEntry.name()), nameMessage(mapEntry.name()), "");
        } else {
          checkListed(map, mapEntry, problemCollector);
        }
        values
            .read(mapEntry.value(), problemCollector)
            .ifPresent(value -> result.put(mapEntry.name(), value));
      }
      return problemCollector.count() == before ? Optional.of(result) : Optional.empty();
    }

    private String nameMessage(String name) {
      int longest = name.length() - 1;
      while (longest > 0 && !names.matcher(name.substring(0, longest)).matches()) {
        longest--;
      }
      return longest > 1 && hasOnlyAllowedCharacters(name)
          ? "the name has " + name.length() + " characters, but at most " + longest + " are allowed"
          : "the name must be " + nameType + ", not \"" + name + "\"";
    }

    private boolean hasOnlyAllowedCharacters(String name) {
      String first = name.substring(0, 1);
      return name.chars().allMatch(c -> names.matcher(first + (char) c).matches());
    }

    private void checkListed(
        MapNode map, MapNode.MapEntry mapEntry, ProblemCollector problemCollector) {
      listed
          .flatMap(known -> known.hint(mapEntry))
          .ifPresent(
              hint ->
                  problemCollector.add(
                      mapEntry.place(),
                      map.pathOf(mapEntry.name()),
                      listed.get().unlisted(),
                      hint));
    }

    @Override
    public Object write(Map<String, V> value) {
      Map<String, Object> written = new LinkedHashMap<>();
      value.forEach((name, item) -> written.put(name, values.write(item)));
      return written;
    }

    @Override
    public String type() {
      return "map, each value " + Articles.with(values.type());
    }

    @Override
    public Map<String, Object> jsonSchema() {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("type", "object");
      schema.put("propertyNames", OrderedMaps.map("pattern", "^(?:" + names.pattern() + ")$"));
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
