package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.link.LeasePlacement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes of a cluster that could not become ready for a lease of this controller. Used on the
 * event loop only.
 */
final class AvoidedNodes {
  private final boolean addsNodes;
  private final Set<String> addresses = new TreeSet<>();

  /**
   * Creates an empty set.
   *
   * @param addsNodes whether an autoscaler adds nodes for requests that existing ones cannot serve
   */
  AvoidedNodes(boolean addsNodes) {
    this.addsNodes = addsNodes;
  }

  void add(String address) {
    addresses.add(address);
  }

  /**
   * Returns the placement of a request on another node. If these are the only ones that can ever
   * serve it, they are tried again: they may have been repaired, or the checks may be wrong.
   */
  LeasePlacement applyTo(LeasePlacement request, Collection<ClusterNode> nodes) {
    boolean hasOther =
        addsNodes
            || nodes.stream()
                .anyMatch(node -> !addresses.contains(node.ip()) && node.canServe(request));
    return hasOther ? request.avoiding(addresses) : request.avoiding(List.of());
  }
}
