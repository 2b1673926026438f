package io.elastune.executor.decision;

import io.elastune.core.allocation.SiteAssignment;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Assigns trials that start now to instances and teams, by {@link SiteAssignment}. */
final class Placement {
  private Placement() {}

  /**
   * Returns the index of each trial's site.
   *
   * @param sites in the order of their numbers, with enough free slots for all trials
   * @param homes by trial, the instances on which it ran last; none if it has not run
   */
  static int[] of(List<TrialSite> sites, List<Set<String>> homes) {
    return SiteAssignment.of(
        sites.stream().mapToInt(TrialSite::room).toArray(),
        homes.stream()
            .map(
                home ->
                    IntStream.range(0, sites.size())
                        .filter(site -> sites.get(site).isHome(home))
                        .toArray())
            .toArray(int[][]::new));
  }
}
