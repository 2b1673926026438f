package io.elastune.executor.ray.link;

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
 */
public record LeasePlacement(
    int gpus, double cpus, Map<String, Double> resources, Map<String, String> node) {
  public LeasePlacement {
    resources = Map.copyOf(resources);
    node = Map.copyOf(node);
  }

  /** Returns the placement of a lease on the node with its label, without reserved resources. */
  public static LeasePlacement onLabeledNode(String lease) {
    return onLabeledNode(lease, 0);
  }

  /** Returns the placement of a lease on the node with its label. */
  public static LeasePlacement onLabeledNode(String lease, int gpus) {
    return new LeasePlacement(gpus, 0, Map.of(), Map.of("label", lease));
  }

  /** Returns this placement on the node with an address. */
  public LeasePlacement at(String ip) {
    return new LeasePlacement(gpus, cpus, resources, Map.of("ip", ip));
  }

  /** Adds this placement to a request for an agent. */
  public Request addTo(Request attach) {
    attach.with("gpus", gpus).with("cpus", cpus);
    resources.forEach(attach.object("resources")::put);
    if (!node.isEmpty()) {
      node.forEach(attach.object("node")::put);
    }
    return attach;
  }
}
