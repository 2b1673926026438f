package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The search of a job: algorithm, metric, resource and hyperparameter space.
 *
 * @param trials number of trials in the first group (sha) or in the only group (random); hyperband
 *     and grid compute it from their other fields
 * @param eta reduction factor: one in {@code eta} trials continues to the next group
 * @param space hyperparameters in file order
 * @param seed root of all named random streams
 * @param maxFailedTrials dropped trials that are tolerated before the run stops; empty for any
 *     number
 */
public record Search(
    Algorithm algorithm,
    Metric metric,
    int trials,
    int eta,
    TrainingResource resource,
    Map<String, Dimension> space,
    long seed,
    Optional<FailedTrialLimit> maxFailedTrials) {
  public Search {
    Preconditions.atLeast("search.trials", 1, trials);
    Preconditions.atLeast("search.eta", 2, eta);
    space = Collections.unmodifiableMap(new LinkedHashMap<>(space));
  }

  /** Creates a search that tolerates any number of failed trials. */
  public Search(
      Algorithm algorithm,
      Metric metric,
      int trials,
      int eta,
      TrainingResource resource,
      Map<String, Dimension> space,
      long seed) {
    this(algorithm, metric, trials, eta, resource, space, seed, Optional.empty());
  }
}
