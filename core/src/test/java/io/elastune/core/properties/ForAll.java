package io.elastune.core.properties;

import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Checks a property on a random job and plan for each of many seeds. For the first failure, it
 * reports the seed and the smallest job and plan found that also fail.
 */
public final class ForAll {
  /** Limit of shrinking steps; enough for the largest jobs in tests. */
  private static final int MOST_TRIES = 5000;

  private final long seeds;
  private final LongFunction<PlannedJob> random;

  private ForAll(long seeds, LongFunction<PlannedJob> random) {
    this.seeds = seeds;
    this.random = random;
  }

  /** A property that must hold for every job. */
  @FunctionalInterface
  public interface Property {
    /**
     * Returns normally if the property holds for {@code job}.
     *
     * @throws AssertionError if it does not; any other exception counts as well
     */
    void check(PlannedJob job);
  }

  /** Returns the check over the jobs that {@code random} creates from the seeds 0, 1, … */
  public static ForAll seeds(long seeds, LongFunction<PlannedJob> random) {
    return new ForAll(seeds, random);
  }

  /**
   * Checks the property on all jobs.
   *
   * @throws AssertionError with the failing seed and the smallest failing job found
   */
  public void hold(Property property) {
    for (long seed = 0; seed < seeds; seed++) {
      PlannedJob job = random.apply(seed);
      Optional<Throwable> failure = failure(property, job);
      if (failure.isPresent()) {
        PlannedJob smallest = smallest(property, job);
        Throwable cause = failure(property, smallest).orElseThrow();
        throw new AssertionError(
            "seed %d: %s%n shrunk to %s".formatted(seed, cause.getMessage(), smallest), cause);
      }
    }
  }

  private static PlannedJob smallest(Property property, PlannedJob failing) {
    PlannedJob smallest = failing;
    int tries = 0;
    boolean shrunk = true;
    while (shrunk && tries < MOST_TRIES) {
      shrunk = false;
      for (PlannedJob smaller : SmallerJobs.of(smallest)) {
        tries++;
        if (smaller.isLegal() && failure(property, smaller).isPresent()) {
          smallest = smaller;
          shrunk = true;
          break;
        }
      }
    }
    return smallest;
  }

  private static Optional<Throwable> failure(Property property, PlannedJob job) {
    try {
      property.check(job);
      return Optional.empty();
    } catch (AssertionError | RuntimeException broken) {
      return Optional.of(broken);
    }
  }
}
