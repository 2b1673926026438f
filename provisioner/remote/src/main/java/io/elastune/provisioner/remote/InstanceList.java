package io.elastune.provisioner.remote;

import java.util.List;
import java.util.Set;

/**
 * The result of listing instances.
 *
 * @param unreachableZones zones that did not respond: they may have instances that are not listed
 */
public record InstanceList(List<RemoteInstance> instances, Set<String> unreachableZones) {
  public InstanceList {
    instances = List.copyOf(instances);
    unreachableZones = Set.copyOf(unreachableZones);
  }
}
