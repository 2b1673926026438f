package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.link.LeasePlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node of a Ray cluster.
 *
 * @param gpus its GPUs; a fraction is rounded down
 * @param cpus its CPUs
 * @param accelerator the model of its GPUs as Ray names it, e.g. {@code A100}; empty if unknown
 * @param draining whether it will end soon
 */
record ClusterNode(
    String ip, boolean alive, int gpus, int cpus, Optional<String> accelerator, boolean draining) {
  private static final String ACCELERATOR = "accelerator_type:";

  /** Parses the answer to the request {@code nodes}. */
  static List<ClusterNode> parse(byte[] json) {
    List<ClusterNode> nodes = new ArrayList<>();
    for (JsonNode node : new JsonMapper().readTree(json)) {
      JsonNode resources = node.path("resources");
      nodes.add(
          new ClusterNode(
              node.path("ip").asString(""),
              node.path("alive").asBoolean(false),
              (int) resources.path("GPU").asDouble(0),
              (int) resources.path("CPU").asDouble(0),
              resources.propertyNames().stream()
                  .filter(name -> name.startsWith(ACCELERATOR))
                  .map(name -> name.substring(ACCELERATOR.length()))
                  .findFirst(),
              node.path("draining").asBoolean(false)));
    }
    return List.copyOf(nodes);
  }

  /** Returns whether this node serves such a request, now or after the end of other leases. */
  boolean canServe(LeasePlacement request) {
    return alive
        && !draining
        && gpus >= request.gpus()
        && cpus >= request.cpus()
        && accelerator
            .map(name -> Set.of(resource(name)))
            .orElse(Set.of())
            .containsAll(request.resources().keySet());
  }

  /** Returns the name of the resource that only nodes with this GPU model have. */
  static String resource(String accelerator) {
    return ACCELERATOR + accelerator;
  }
}
