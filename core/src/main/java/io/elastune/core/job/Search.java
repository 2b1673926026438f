package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The search of a job: algorithm, metric, resource and hyperparameter space.
 *
 * @param trials number of trials in the first group (sha) or in the only group (random); hyperband
 *     and grid compute it from their other fields
 * @param eta reduction factor: one in {@code eta} trials continues to the next group
 * @param space hyperparameters in file order
 * @param seed root of all named random streams
 */
public record Search(
    Algorithm algorithm,
    Metric metric,
    int trials,
    int eta,
    TrainingResource resource,
    Map<String, Dimension> space,
    long seed) {
  public Search {
    Preconditions.atLeast("search.trials", 1, trials);
    Preconditions.atLeast("search.eta", 2, eta);
    space = Collections.unmodifiableMap(new LinkedHashMap<>(space));
  }
}
