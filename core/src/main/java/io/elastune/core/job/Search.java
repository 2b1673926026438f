package io.elastune.core.job;

import io.elastune.core.Check;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The search.
 *
 * @param trials trials of the first group (sha) or of the only one (random); not used by hyperband
 *     and grid, which follow from their other fields
 * @param eta reduction factor: one in {@code eta} goes on
 * @param space hyperparameters in the file's order
 * @param seed root of all named random streams
 */
public record Search(
    Algorithm algorithm,
    Metric metric,
    int trials,
    int eta,
    Resource resource,
    Map<String, Dimension> space,
    long seed) {
  public Search {
    Check.atLeast("search.trials", 1, trials);
    Check.atLeast("search.eta", 2, eta);
    space = Collections.unmodifiableMap(new LinkedHashMap<>(space));
  }

  /** The same search from another seed. */
  public Search withSeed(long other) {
    return new Search(algorithm, metric, trials, eta, resource, space, other);
  }
}
