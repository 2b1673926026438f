package io.elastune.executor.ray.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.ray.acceptance.AcceptanceProblem.Repetition;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeRulesTest {
  private static final Instant SENT = Instant.parse("2026-11-29T06:00:00Z");
  private static final Instant RECEIVED = SENT.plusMillis(300);

  @Test
  void clockMayDifferByFiveSeconds() {
    assertThat(NodeRules.clock(SENT, SENT.minusSeconds(5), RECEIVED, CheckedNodes.RENTED))
        .isEmpty();
    assertThat(NodeRules.clock(SENT, RECEIVED.plusSeconds(5), RECEIVED, CheckedNodes.RENTED))
        .isEmpty();
    AcceptanceProblem behind =
        NodeRules.clock(SENT, SENT.minusSeconds(7), RECEIVED, CheckedNodes.RENTED).orElseThrow();
    assertThat(behind.message())
        .startsWith("its clock is 7 s behind that of the controller, more than 5 s. ")
        .contains("time synchronization");
    assertThat(behind.repetition()).as("NTP may set it").isEqualTo(Repetition.WHILE_WAITING);
    assertThat(
            NodeRules.clock(SENT, RECEIVED.plusSeconds(9), RECEIVED, CheckedNodes.RENTED)
                .orElseThrow()
                .message())
        .startsWith("its clock is 9 s ahead of ");
  }

  /** A slow answer says less about a clock, and never refuses a node. */
  @Test
  void slowAnswerRefusesNoNode() {
    Instant late = SENT.plus(Duration.ofMinutes(1));
    assertThat(NodeRules.clock(SENT, SENT.plusSeconds(1), late, CheckedNodes.RENTED)).isEmpty();
    assertThat(NodeRules.clock(SENT, SENT.plusSeconds(59), late, CheckedNodes.RENTED)).isEmpty();
  }

  @Test
  void fullDiskIsRefused() {
    assertThat(NodeRules.disk(5_000_000_000L, 5_000_000_000L, CheckedNodes.RENTED)).isEmpty();
    AcceptanceProblem problem =
        NodeRules.disk(1_230_000_000L, 5_000_000_000L, CheckedNodes.RENTED).orElseThrow();
    assertThat(problem.message())
        .startsWith(
            "1.2 GB of its disk are free, less than the 5.0 GB of rented_nodes.acceptance.min")
        .contains("rented_nodes.folder");
    assertThat(NodeRules.disk(1, 2, CheckedNodes.USER_CLUSTER).orElseThrow().message())
        .contains("acceptance.min_free_disk of the cluster in clouds.yaml. Free space where");
  }
}
