package io.elastune.executor.sampler;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A request for configurations.
 *
 * @param number the number of the request in the run
 * @param count how many configurations are requested
 * @param results the trials with known configurations, by number
 */
public record SamplerRequest(int number, int count, List<Result> results) {
  public SamplerRequest {
    results = List.copyOf(results);
  }

  /**
   * What is known of one trial.
   *
   * @param config its configuration, with the types of the search space
   * @param unit units at which it was compared last; 0 before that
   * @param metric its metric there; empty before that
   * @param failed whether its configuration cannot be trained, because it needs too much memory
   */
  public record Result(
      Map<String, Object> config, int unit, OptionalDouble metric, boolean failed) {
    /** Creates the result of a trial that has not failed. */
    public Result(Map<String, Object> config, int unit, OptionalDouble metric) {
      this(config, unit, metric, false);
    }
  }
}
