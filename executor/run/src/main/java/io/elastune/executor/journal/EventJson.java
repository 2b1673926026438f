package io.elastune.executor.journal;

import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.util.List;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Converts events to JSON and back, so that a run can be decided again from its journal. */
final class EventJson {
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /** Components of {@link RunDefinition} that were added to the format. */
  private static final List<String> ADDED =
      List.of(
          "maxFailedTrials",
          "fluid",
          "hyperSched",
          "hermes",
          "patience",
          "failures",
          "clusterProfile");

  /** The same; false in older journals. */
  private static final String KEEP_ALIVE = "keepAlive";

  /** A component of profiles that was added to the format, and one that all profiles have. */
  private static final String ADDED_TO_PROFILES = "checkpoint";

  private static final String OF_PROFILES = "secondsByGpus";

  /** Another component of profiles that was added to the format. */
  private static final String RANK_CORRELATION = "rankCorrelation";

  /** The same. */
  private static final String MEMORY_GB = "memoryGb";

  /** The same. */
  private static final String LOAD = "load";

  /** A component of the origins of profiles that was added to the format. */
  private static final String ADDED_TO_ORIGINS = "numbers";

  private static final String ORIGIN = "measured";

  /** A component of offers and profiles that was added to the format, and one of all offers. */
  private static final String FAULTS = "faults";

  private static final String OF_OFFERS = "instanceType";

  /** A component of offers that was added to the format. */
  private static final String SLOTS_PER_CORE = "slotsPerCore";

  /** Components of the rules of rungs that were added to the format, and one that all have. */
  private static final String BRACKETS = "brackets";

  private static final String TIME = "time";

  private static final String OF_RUNGS = "finishBest";

  /** Components of the inputs for re-planning that were added to the format. */
  private static final List<String> ADDED_TO_PLANNING = List.of("rungs", "requests");

  private static final String PLANNING = "planning";

  /** Components of the metric that were added to the format, and are stored if they are set. */
  private static final List<String> ADDED_TO_METRICS = List.of("pattern", "from", "scope");

  private static final String METRIC = "metric";

  /** A component of the rule of a sampler that was added to the format. */
  private static final String ONE_BY_ONE = "oneByOne";

  private static final String SAMPLER = "sampler";

  /** A component of Fluid that was added to the format. */
  private static final String FACTORS = "factors";

  private static final String FLUID = "fluid";

  private EventJson() {}

  /** The event without its envelope. */
  private static Object inner(RunEvent event) {
    if (event instanceof RunEvent.FromCloud cloud) {
      return cloud.event();
    }
    return event instanceof RunEvent.FromEngine engine ? engine.event() : event;
  }

  static String kind(RunEvent event) {
    return WireNames.event(inner(event).getClass());
  }

  static String body(RunEvent event) {
    return JournalJson.text(inner(event));
  }

  static RunEvent read(String kind, String body) {
    Class<?> type =
        WireNames.eventType(kind)
            .orElseThrow(() -> JournalException.corrupt("unknown event " + kind));
    Object inner = JournalJson.read(body, type);
    if (inner instanceof CloudEvent cloud) {
      return new RunEvent.FromCloud(cloud);
    }
    return inner instanceof EngineEvent engine ? new RunEvent.FromEngine(engine) : (RunEvent) inner;
  }

  /**
   * Reads a definition that {@link #json} has written; fails if a component is missing or unknown.
   * Those that older journals lack are empty there.
   */
  static RunDefinition readDefinition(String body) {
    JsonNode definition = STRICT.readTree(body);
    if (definition instanceof ObjectNode fields) {
      ADDED.stream().filter(name -> !fields.has(name)).forEach(fields::putNull);
      fields.put(KEEP_ALIVE, fields.path(KEEP_ALIVE).asBoolean(false));
    }
    if (definition.path(METRIC) instanceof ObjectNode metric) {
      ADDED_TO_METRICS.stream().filter(name -> !metric.has(name)).forEach(metric::putNull);
    }
    if (definition.path(PLANNING) instanceof ObjectNode planning) {
      ADDED_TO_PLANNING.stream().filter(name -> !planning.has(name)).forEach(planning::putNull);
    }
    if (definition.path(SAMPLER) instanceof ObjectNode sampler && !sampler.has(ONE_BY_ONE)) {
      sampler.put(ONE_BY_ONE, false);
    }
    if (definition.path(FLUID) instanceof ObjectNode fluid && !fluid.has(FACTORS)) {
      fluid.putArray(FACTORS);
    }
    for (JsonNode profile : definition.findParents(OF_PROFILES)) {
      if (profile instanceof ObjectNode fields && !fields.has(ADDED_TO_PROFILES)) {
        fields.set(ADDED_TO_PROFILES, STRICT.valueToTree(CheckpointMeasurement.NONE));
      }
      if (profile.path(ORIGIN) instanceof ObjectNode origin && !origin.has(ADDED_TO_ORIGINS)) {
        origin.putArray(ADDED_TO_ORIGINS);
      }
      if (profile instanceof ObjectNode fields && !fields.has(RANK_CORRELATION)) {
        fields.putNull(RANK_CORRELATION);
      }
      if (profile instanceof ObjectNode fields && !fields.has(MEMORY_GB)) {
        fields.putNull(MEMORY_GB);
      }
      if (profile instanceof ObjectNode fields && !fields.has(LOAD)) {
        fields.putNull(LOAD);
      }
      addFaults(profile, TrialFaultRates.NONE);
    }
    definition.findParents(OF_OFFERS).forEach(offer -> addFaults(offer, InstanceFaultRates.NONE));
    for (JsonNode offer : definition.findParents(OF_OFFERS)) {
      if (offer instanceof ObjectNode fields && !fields.has(SLOTS_PER_CORE)) {
        fields.put(SLOTS_PER_CORE, 0);
      }
    }
    for (JsonNode rungs : definition.findParents(OF_RUNGS)) {
      if (rungs instanceof ObjectNode fields && !fields.has(BRACKETS)) {
        fields.put(BRACKETS, 1);
      }
      if (rungs instanceof ObjectNode fields && !fields.has(TIME)) {
        fields.putNull(TIME);
      }
    }
    return STRICT.treeToValue(definition, RunDefinition.class);
  }

  private static void addFaults(JsonNode owner, Object none) {
    if (owner instanceof ObjectNode fields && !fields.has(FAULTS)) {
      fields.set(FAULTS, STRICT.readTree(JournalJson.text(none)));
    }
  }

  static String json(Object value) {
    return JournalJson.text(value);
  }
}
