package io.elastune.executor.journal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a journal keeps as JSON. A class of its own because a mapper takes longer to make than the
 * rest of a journal to be read, and who only wants to know how a run stands needs none.
 */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final TypeReference<LinkedHashMap<String, Object>> VALUES =
      new TypeReference<>() {};
  private static final TypeReference<LinkedHashMap<String, Double>> NUMBERS =
      new TypeReference<>() {};

  private Json() {}

  static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static <T> T read(String text, Class<T> type) {
    return read(() -> MAPPER.readValue(text, type));
  }

  static Map<String, Object> values(String text) {
    return read(() -> MAPPER.readValue(text, VALUES));
  }

  static Map<String, Double> numbers(String text) {
    return read(() -> MAPPER.readValue(text, NUMBERS));
  }

  private static <T> T read(Supplier<T> value) {
    try {
      return value.get();
    } catch (JacksonException e) {
      throw JournalException.damaged(e);
    }
  }
}
