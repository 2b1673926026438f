package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tries the best configurations of an earlier run first.
 *
 * @param run name of the earlier run, or {@link #LATEST}
 * @param best the highest number of its configurations
 * @param configs the configurations, once the earlier run was read
 */
public record WarmStart(String run, int best, Optional<List<Map<String, Object>>> configs) {
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
