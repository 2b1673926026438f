package io.elastune.provisioner.gcp.account;

import java.util.List;
import java.util.Set;

/**
 * What a list over all zones has shown.
 *
 * @param silent zones that did not answer: what is not listed there may be there all the same
 */
public record Listing(List<GceInstance> instances, Set<String> silent) {
  public Listing {
    instances = List.copyOf(instances);
    silent = Set.copyOf(silent);
  }
}
