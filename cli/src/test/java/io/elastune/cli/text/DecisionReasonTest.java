package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.DecisionKind;
import org.junit.jupiter.api.Test;

final class DecisionReasonTest {
  @Test
  void tellsHowToContinueWithAHigherBudget() {
    assertThat(
            DecisionReason.of("test-1", DecisionKind.BUDGET_NOT_INCREASED, "budget not increased"))
        .isEqualTo(
            "budget not increased; with a higher budget it continues:"
                + " elastune resume test-1 --budget USD");
  }

  @Test
  void otherReasonsAreUnchanged() {
    assertThat(DecisionReason.of("test-1", DecisionKind.STOP, "stopped at the budget"))
        .isEqualTo("stopped at the budget");
  }
}
