package io.elastune.provisioner.gcp.account;

import java.util.List;
import java.util.Set;

/**
 * The result of listing instances in all zones.
 *
 * @param silent zones that did not respond: they may have instances that are not listed
 */
public record Listing(List<GceInstance> instances, Set<String> silent) {
  public Listing {
    instances = List.copyOf(instances);
    silent = Set.copyOf(silent);
  }
}
