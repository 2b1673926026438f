package io.elastune.executor.protocol;

import io.elastune.core.job.Metric;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.BestReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
    spec.metric()
        .filter(Metric::takesBest)
        .ifPresent(metric -> fields.put("keep_best", keepBest(metric, spec.best())));
    if (spec.keepAlive() == AttemptSpec.KeepAlive.WAIT) {
      fields.put("keep_alive", true);
    }
    return WRITER.writeValueAsBytes(fields);
  }

  private static Map<String, Object> keepBest(Metric metric, Optional<BestReport> best) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("metric", metric.name());
    fields.put("goal", metric.goal().word());
    best.ifPresent(
        report -> {
          fields.put("unit", report.unit());
          fields.put("value", report.value());
        });
    return fields;
  }
}
