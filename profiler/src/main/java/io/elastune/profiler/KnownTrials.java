package io.elastune.profiler;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Workload;
import io.elastune.executor.search.Configurations;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The hyperparameters of the trials of a search, if they are known before it starts. */
public final class KnownTrials {
  private KnownTrials() {}

  /**
   * Returns the hyperparameters of all trials in order of trial number; empty if results of others
   * determine them, or how many there are.
   */
  public static List<Map<String, Object>> of(Search search, Workload workload) {
    boolean known = !search.usesSampler() && search.algorithm() != Algorithm.PBT;
    if (!known || workload.rungs().isPresent()) {
      return List.of();
    }
    Configurations configurations = new Configurations(search);
    int count = workload.chains().stream().mapToInt(chain -> chain.groups().get(0).trials()).sum();
    return IntStream.rangeClosed(1, count).mapToObj(configurations::of).toList();
  }
}
