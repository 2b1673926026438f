package io.elastune.provisioner.gcp.model;

import java.util.List;
import java.util.Set;

/**
 * The result of listing instances in all zones.
 *
 * @param unreachableZones zones that did not respond: they may have instances that are not listed
 */
public record InstanceListing(List<GceInstance> instances, Set<String> unreachableZones) {
  public InstanceListing {
    instances = List.copyOf(instances);
    unreachableZones = Set.copyOf(unreachableZones);
  }
}
