package io.elastune.core.config.codec;

import java.util.LinkedHashMap;
import java.util.Map;

/** Creates small maps that keep the order of their entries, unlike {@link Map#of}. */
final class OrderedMaps {
  private OrderedMaps() {}

  static Map<String, Object> map(String key, Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key, value);
    return map;
  }

  static Map<String, Object> map(String key, Object value, String other, Object otherValue) {
    Map<String, Object> map = map(key, value);
    map.put(other, otherValue);
    return map;
  }
}
