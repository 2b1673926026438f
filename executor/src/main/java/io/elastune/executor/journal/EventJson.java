package io.elastune.executor.journal;

import io.elastune.executor.core.RunEvent;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Events as text and back, so that a run can be decided again from its journal. */
final class EventJson {
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();
  private static final Map<String, Class<?>> KINDS = new LinkedHashMap<>();

  static {
    for (Class<?> family : new Class<?>[] {RunEvent.class, CloudEvent.class, EngineEvent.class}) {
      for (Class<?> kind : family.getPermittedSubclasses()) {
        KINDS.put(kind.getSimpleName(), kind);
      }
    }
  }

  private EventJson() {}

  /** The event that is really told: without its envelope. */
  private static Object inner(RunEvent event) {
    if (event instanceof RunEvent.FromCloud cloud) {
      return cloud.event();
    }
    return event instanceof RunEvent.FromEngine engine ? engine.event() : event;
  }

  static String kind(RunEvent event) {
    return inner(event).getClass().getSimpleName();
  }

  static String body(RunEvent event) {
    return Json.text(inner(event));
  }

  static RunEvent read(String kind, String body) {
    Class<?> type = KINDS.get(kind);
    if (type == null) {
      throw JournalException.damaged("it has an event of unknown kind " + kind);
    }
    Object inner = Json.read(body, type);
    if (inner instanceof CloudEvent cloud) {
      return new RunEvent.FromCloud(cloud);
    }
    return inner instanceof EngineEvent engine ? new RunEvent.FromEngine(engine) : (RunEvent) inner;
  }

  /** What {@link #json} has written of a record; fails if anything is missing or unknown. */
  static <T> T read(Class<T> type, String body) {
    return STRICT.readValue(body, type);
  }

  static String json(Object value) {
    return Json.text(value);
  }
}
