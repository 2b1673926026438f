package io.elastune.core.search;

import io.elastune.core.NullValue;
import io.elastune.core.job.Dimension;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts configurations to JSON and back. Journals, samplers, results and trials all use this
 * text, so a value keeps its type everywhere: a whole number stays a {@link Long} and null stays
 * {@link NullValue#NULL}, also inside lists.
 */
public final class ConfigurationCodec {
  private static final JsonMapper JSON = new JsonMapper();
  private static final TypeReference<LinkedHashMap<String, @Nullable Object>> VALUES =
      new TypeReference<>() {};

  private ConfigurationCodec() {}

  /** Returns the configuration as one JSON object. */
  public static String write(Map<String, Object> configuration) {
    return JSON.writeValueAsString(toJava(configuration));
  }

  /** Returns one value as JSON. */
  public static String writeValue(Object value) {
    return JSON.writeValueAsString(NullValue.toJava(value));
  }

  /**
   * Returns the configuration of one JSON object, with the types of the model.
   *
   * @throws tools.jackson.core.JacksonException if the text is no JSON object
   */
  public static Map<String, Object> read(String json) {
    return ofJava(JSON.readValue(json, VALUES));
  }

  /**
   * Returns the configuration of one JSON object, as a complete point of a space.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static Map<String, Object> read(Map<String, Dimension> space, String json) {
    SpacePoint point = SpacePoint.complete(space, read(json));
    Optional<String> why = point.why();
    if (why.isPresent()) {
      throw new IllegalArgumentException(
          "the configuration " + json + " is outside of search.space: " + why.get());
    }
    return point.values();
  }

  /** Returns the values for JSON output of other libraries, with null for {@link NullValue}. */
  public static Map<String, @Nullable Object> toJava(Map<String, Object> configuration) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    configuration.forEach((name, value) -> values.put(name, NullValue.toJava(value)));
    return values;
  }

  /** Returns the values that another library has read from JSON with the types of the model. */
  public static Map<String, Object> ofJava(Map<String, @Nullable Object> values) {
    Map<String, Object> configuration = new LinkedHashMap<>();
    values.forEach((name, value) -> configuration.put(name, NullValue.ofJava(value)));
    return configuration;
  }
}
