package io.elastune.core.files.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/** Small maps in the order in which they are given, which {@link Map#of} does not keep. */
final class Ordered {
  private Ordered() {}

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
