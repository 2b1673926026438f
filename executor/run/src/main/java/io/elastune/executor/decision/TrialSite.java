package io.elastune.executor.decision;

import java.util.List;
import java.util.Set;

/**
 * An instance, or a team of instances, as a place for trials.
 *
 * @param leases the instance, or the instances of the team
 * @param room free slots, at least 1
 */
record TrialSite(List<String> leases, int room) {
  TrialSite {
    leases = List.copyOf(leases);
  }

  /** Whether it has one of the instances in {@code home}. */
  boolean isHome(Set<String> home) {
    return leases.stream().anyMatch(home::contains);
  }
}
