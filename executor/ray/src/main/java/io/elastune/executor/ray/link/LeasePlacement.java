package io.elastune.executor.ray.link;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What the agent of a lease reserves, and on which node it is created.
 *
 * @param gpus the GPUs that it holds
 * @param cpus the CPUs that it holds, which may be a fraction
 * @param resources further resources of the cluster that it holds, such as a fraction of {@code
 *     accelerator_type:V100}
 * @param node selects the node by one of {@code ip}, {@code id} or {@code label}, which is the
 *     value of the node's label {@code elastune-lease}; empty if the cluster selects it
 * @param avoided the addresses of nodes that the cluster must not select
 */
public record LeasePlacement(
    int gpus,
    double cpus,
    Map<String, Double> resources,
    Map<String, String> node,
    List<String> avoided) {
  public LeasePlacement {
    avoided = List.copyOf(avoided);
    resources = Map.copyOf(resources);
    node = Map.copyOf(node);
  }

  /** Returns the placement of a lease on the node with its label, without reserved resources. */
  public static LeasePlacement onLabeledNode(String lease) {
    return onLabeledNode(lease, 0);
  }

  /** Returns the placement of a lease on the node with its label. */
  public static LeasePlacement onLabeledNode(String lease, int gpus) {
    return new LeasePlacement(gpus, 0, Map.of(), Map.of("label", lease), List.of());
  }

  /** Returns the placement of a lease on any node that has these resources. */
  public static LeasePlacement onAnyNode(int gpus, double cpus, Map<String, Double> resources) {
    return new LeasePlacement(gpus, cpus, resources, Map.of(), List.of());
  }

  /** Returns this placement on the node with an address. */
  public LeasePlacement at(String ip) {
    return new LeasePlacement(gpus, cpus, resources, Map.of("ip", ip), List.of());
  }

  /** Returns this placement on another node than those with these addresses. */
  public LeasePlacement avoiding(Collection<String> addresses) {
    return new LeasePlacement(gpus, cpus, resources, node, List.copyOf(addresses));
  }

  /** Adds this placement to a request for an agent. */
  public Request addTo(Request attach) {
    attach.with("gpus", gpus).with("cpus", cpus);
    resources.forEach(attach.object("resources")::put);
    if (!node.isEmpty()) {
      node.forEach(attach.object("node")::put);
    }
    if (!avoided.isEmpty()) {
      attach.with("avoid", avoided);
    }
    return attach;
  }
}
