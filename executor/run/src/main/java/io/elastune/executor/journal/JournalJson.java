package io.elastune.executor.journal;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.elastune.core.job.Metric;
import io.elastune.core.search.RungProgress;
import io.elastune.executor.decision.model.MeasurementChoice;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.RunEvent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the JSON values in a journal. A separate class, because creating a mapper takes
 * longer than reading the rest of a journal, and most status queries need none.
 */
final class JournalJson {
  /** Stores record components only: a method such as {@code isEmpty} is not part of the format. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(Visibility.NONE))
          .addMixIn(ReplanReason.Cause.class, WireNamed.class)
          .addMixIn(ReplanRequest.class, WithoutEmptyRungs.class)
          .addMixIn(ReplanRequest.ChainProgress.class, WithoutDefaults.class)
          .addMixIn(Metric.class, WithoutDefaults.class)
          .addMixIn(MeasurementChoice.class, WithoutDefaults.class)
          .addMixIn(RunEvent.Ticked.class, WithoutDefaults.class)
          .build();

  /** Stores a constant by its name in the journal. */
  private interface WireNamed {
    @JsonValue
    String wireName();
  }

  /** Requests of other searches are stored as before there were such of searches of rungs. */
  private interface WithoutEmptyRungs {
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @SuppressWarnings("UnusedMethod") // its annotation is read
    Optional<RungProgress> rungs();
  }

  /**
   * Chains, metrics, choices and ticks with the defaults are stored as before there were others.
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  private interface WithoutDefaults {}

  private static final TypeReference<LinkedHashMap<String, Object>> VALUES =
      new TypeReference<>() {};
  private static final TypeReference<LinkedHashMap<String, Double>> NUMBERS =
      new TypeReference<>() {};

  private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};

  private JournalJson() {}

  static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static <T> T read(String text, Class<T> type) {
    return read(() -> MAPPER.readValue(text, type));
  }

  static Object read(String text, Type type) {
    return read(() -> MAPPER.readValue(text, MAPPER.constructType(type)));
  }

  static Map<String, Object> values(String text) {
    return read(() -> MAPPER.readValue(text, VALUES));
  }

  static Map<String, Double> numbers(String text) {
    return read(() -> MAPPER.readValue(text, NUMBERS));
  }

  static List<String> strings(String text) {
    return read(() -> MAPPER.readValue(text, STRINGS));
  }

  private static <T> T read(Supplier<T> value) {
    try {
      return value.get();
    } catch (JacksonException e) {
      throw JournalException.corrupt(e);
    }
  }
}
