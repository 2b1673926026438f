package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tries the best configurations of an earlier run first. */
@FileSection(
    title = "search.warm_start",
    doc = "Tries the best configurations of an earlier run first, after those of `configs`.")
public record WarmStart(
    @FileField(
            doc =
                "The earlier run, or `latest`: the latest run of this job with results, if there"
                    + " is one.",
            absent = WarmStart.LATEST,
            example = "latest")
        String run,
    @FileField(doc = "Highest number of its configurations.", absent = "3", example = "3")
        @Bounds(least = 1)
        int best,
    @FileField(
            doc = "The configurations; Elastune adds them to the job of a run.",
            without = "read from the run",
            example = "[{lr: 0.01}]")
        Optional<List<Map<String, Object>>> configs) {
  /** The latest run of the same job that has results. */
  public static final String LATEST = "latest";

  public WarmStart {
    Preconditions.atLeast("search.warm_start.best", 1, best);
    configs = configs.map(list -> list.stream().map(WarmStart::copy).toList());
  }

  private static Map<String, Object> copy(Map<String, Object> configuration) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
  }

  /** Returns this warm start with the configurations of the run that was read. */
  public WarmStart withConfigs(String name, List<Map<String, Object>> found) {
    return new WarmStart(name, best, Optional.of(found));
  }
}
