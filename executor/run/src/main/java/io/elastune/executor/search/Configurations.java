package io.elastune.executor.search;

import io.elastune.core.NullValue;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Search;
import io.elastune.core.search.ConfigurationGrid;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Generates the hyperparameters of each trial. Each trial has its own random stream, derived from
 * the seed of the search and the trial number, so that trial 7 is the same for any number of
 * trials. A grid search takes every combination, and the last dimension changes fastest. The first
 * trials of other searches use the user's own configurations and those of an earlier run, if there
 * are any.
 */
public final class Configurations {
  private static final RandomGeneratorFactory<RandomGenerator> STREAMS =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private final Search search;
  private final Optional<ConfigurationGrid> grid;
  private final List<Map<String, Object>> first;

  public Configurations(Search search) {
    this.search = search;
    first = search.firstConfigurations();
    grid =
        search.algorithm() == Algorithm.GRID
            ? Optional.of(new ConfigurationGrid(search.space()))
            : Optional.empty();
  }

  /**
   * Returns the configuration of {@code trial}. A value may be null.
   *
   * @param trial from 1
   */
  public Map<String, Object> of(int trial) {
    Map<String, Object> config = new LinkedHashMap<>();
    grid.map(all -> all.get(trial - 1))
        .orElseGet(() -> drawn(trial))
        .forEach((name, value) -> config.put(name, NullValue.toJava(value)));
    return config;
  }

  /** Returns the seed that is passed to {@code trial}. */
  public long seedOf(int trial) {
    return stream("trial", trial).nextLong() >>> 1;
  }

  private RandomGenerator stream(String name, int trial) {
    long mixed = search.seed() * 0x9E3779B97F4A7C15L + name.hashCode() * 0x100000001B3L + trial;
    return STREAMS.create(mixed);
  }

  /** Draws every value, so that no value depends on the conditions of other hyperparameters. */
  private Map<String, Object> drawn(int trial) {
    RandomGenerator stream = stream("configuration", trial);
    Map<String, Object> config = new LinkedHashMap<>();
    search.space().forEach((name, dimension) -> config.put(name, dimension.draw(stream)));
    if (trial <= first.size()) {
      config.putAll(first.get(trial - 1));
    }
    return ConfigurationGrid.withConditions(search.space(), config);
  }
}
