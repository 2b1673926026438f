package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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
 * @param configs the user's own configurations, which the first trials use in this order; the
 *     hyperparameters that one lacks are drawn
 */
public record Search(
    Algorithm algorithm,
    Metric metric,
    int trials,
    int eta,
    TrainingResource resource,
    Map<String, Dimension> space,
    long seed,
    Optional<FailedTrialLimit> maxFailedTrials,
    List<Map<String, Object>> configs) {
  /** How the configuration of a trial was chosen. */
  public enum Origin {
    /** Listed in {@code search.configs}. */
    OWN("own"),
    /** A point of a grid. */
    GRID("grid"),
    /** Drawn at random. */
    DRAWN("drawn");

    private final String word;

    Origin(String word) {
      this.word = word;
    }

    /** Returns the name used in files and on screens. */
    public String word() {
      return word;
    }
  }

  public Search {
    Preconditions.atLeast("search.trials", 1, trials);
    Preconditions.atLeast("search.eta", 2, eta);
    space = Collections.unmodifiableMap(new LinkedHashMap<>(space));
    configs = configs.stream().map(Search::copy).toList();
    Preconditions.that(
        configs.isEmpty() || algorithm != Algorithm.GRID, "search.configs is not used by grid");
  }

  private static Map<String, Object> copy(Map<String, Object> configuration) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
  }

  /** Returns how the configuration of {@code trial}, from 1, is chosen. */
  public Origin origin(int trial) {
    if (algorithm == Algorithm.GRID) {
      return Origin.GRID;
    }
    return trial <= configs.size() ? Origin.OWN : Origin.DRAWN;
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
    this(algorithm, metric, trials, eta, resource, space, seed, Optional.empty(), List.of());
  }
}
