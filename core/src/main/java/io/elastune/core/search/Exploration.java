package io.elastune.core.search;

import io.elastune.core.job.Dimension;
import io.elastune.core.job.DimensionMoves;
import io.elastune.core.job.PbtOptions;
import io.elastune.core.random.RandomStreams;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Derives the configurations of new trials of a population from those of their parents
 * (docs/searches.md, "PBT"). A configuration depends only on the seed, the trial number and the
 * configuration of the parent.
 */
public final class Exploration {
  private final Map<String, Dimension> space;
  private final PbtOptions options;
  private final RandomStreams stream;

  /** Creates the derivation for a search with this seed. */
  public Exploration(Map<String, Dimension> space, PbtOptions options, long seed) {
    this.space = space;
    this.options = options;
    this.stream = RandomStreams.of(seed).at("explore");
  }

  /**
   * Returns the configuration of a new trial. A hyperparameter whose condition becomes true is
   * drawn.
   *
   * @param trial its number
   * @param parent the configuration of its parent, with the types of the space
   */
  public Map<String, Object> of(int trial, Map<String, Object> parent) {
    Map<String, Object> config = new LinkedHashMap<>();
    int index = 0;
    for (Map.Entry<String, Dimension> entry : space.entrySet()) {
      Dimension dimension = entry.getValue();
      RandomGenerator random = stream.at(trial).at(index++).open();
      if (dimension.when().isMetBy(config)) {
        Object before = parent.get(entry.getKey());
        config.put(entry.getKey(), value(entry.getKey(), dimension, before, random));
      }
    }
    return config;
  }

  /** Draws all three numbers in any case, so that no value depends on the path of the others. */
  private Object value(
      String name, Dimension dimension, @Nullable Object before, RandomGenerator random) {
    boolean resampled = Uniform.of(random) < options.resample();
    double direction = Uniform.of(random);
    Object drawn = dimension.draw(random);
    if (before == null) {
      return drawn;
    }
    if (options.freeze().contains(name)) {
      return before;
    }
    return resampled
        ? drawn
        : DimensionMoves.moved(dimension, before, direction, options.factors());
  }
}
