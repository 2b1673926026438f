package io.elastune.executor.protocol;

import io.elastune.executor.engine.AttemptSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Writes the JSON file that {@code ELASTUNE_TRIAL_JSON} refers to. */
public final class TrialFile {
  private static final JsonMapper WRITER = new JsonMapper();

  private TrialFile() {}

  /** Returns the contents of the file for one worker. */
  public static byte[] write(AttemptSpec spec, String checkpointDir, int rank) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("trial", spec.trial());
    fields.put("config", spec.config());
    fields.put("unit", spec.unit());
    fields.put("from", spec.from());
    fields.put("to", spec.to());
    fields.put("checkpoint_dir", checkpointDir);
    fields.put("rank", rank);
    fields.put("world_size", spec.workers().size());
    fields.put("seed", spec.seed());
    fields.put("resumable", spec.resumable());
    spec.checkpointEvery().ifPresent(units -> fields.put("checkpoint_every", units));
    return WRITER.writeValueAsBytes(fields);
  }
}
