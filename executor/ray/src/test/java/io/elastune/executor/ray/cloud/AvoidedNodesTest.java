package io.elastune.executor.ray.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.ray.link.LeasePlacement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AvoidedNodesTest {
  private static final ClusterNode ONE = node("10.0.0.1", 4, true, false);
  private static final ClusterNode TWO = node("10.0.0.2", 4, true, false);
  private static final LeasePlacement REQUEST =
      LeasePlacement.onAnyNode(2, 1, Map.of(ClusterNode.resource("A10G"), 0.001));

  private final AvoidedNodes avoided = new AvoidedNodes(false);

  private static ClusterNode node(String ip, int gpus, boolean alive, boolean draining) {
    return new ClusterNode(ip, alive, gpus, 8, Optional.of("A10G"), draining);
  }

  @Test
  void nodeThatFailedIsAvoided() {
    assertThat(avoided.applyTo(REQUEST, List.of(ONE, TWO)).avoided()).isEmpty();
    avoided.add("10.0.0.1");
    assertThat(avoided.applyTo(REQUEST, List.of(ONE, TWO)).avoided()).containsExactly("10.0.0.1");
  }

  @Test
  void nodesThatFailedAreUsedAgainWhereNoOtherCanServe() {
    avoided.add("10.0.0.1");
    ClusterNode t4 = new ClusterNode("10.0.0.3", true, 4, 8, Optional.of("T4"), false);
    ClusterNode cpus = new ClusterNode("10.0.0.4", true, 0, 64, Optional.empty(), false);
    for (ClusterNode other :
        List.of(
            node("10.0.0.2", 1, true, false),
            node("10.0.0.2", 4, false, false),
            node("10.0.0.2", 4, true, true),
            t4,
            cpus)) {
      assertThat(avoided.applyTo(REQUEST, List.of(ONE, other)).avoided())
          .as(other.toString())
          .isEmpty();
    }
    avoided.add("10.0.0.2");
    assertThat(avoided.applyTo(REQUEST, List.of(ONE, TWO)).avoided()).isEmpty();
  }

  /** The autoscaler adds a node for a request that no other can serve. */
  @Test
  void autoscalerReplacesNodeThatFailed() {
    AvoidedNodes scaled = new AvoidedNodes(true);
    scaled.add("10.0.0.1");
    assertThat(scaled.applyTo(REQUEST, List.of(ONE)).avoided()).containsExactly("10.0.0.1");
  }
}
