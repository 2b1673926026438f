package io.elastune.core.config.yaml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A map from names to values, in file order. */
public record MapNode(SourcePosition place, String path, Map<String, MapEntry> entries)
    implements YamlNode {
  /** A name, its position and its value. */
  public record MapEntry(SourcePosition place, String name, YamlNode value) {}

  public MapNode {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  public Optional<MapEntry> find(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** Returns the path of the value with that name. */
  public String pathOf(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Returns this map with a value replaced or added. */
  public MapNode with(String name, YamlNode value) {
    Map<String, MapEntry> changed = new LinkedHashMap<>(entries);
    changed.put(name, new MapEntry(value.place(), name, value));
    return new MapNode(place, path, changed);
  }

  /** Returns this map without a name. */
  public MapNode without(String name) {
    Map<String, MapEntry> changed = new LinkedHashMap<>(entries);
    changed.remove(name);
    return new MapNode(place, path, changed);
  }

  @Override
  public String describe() {
    return "a map";
  }
}
