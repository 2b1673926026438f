package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.policy.HermesRule;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.AttemptState.EndReason;
import io.elastune.executor.decision.model.HermesDefinition;
import io.elastune.executor.decision.model.RunDefinition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryTimerTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

  /** It has three units and a checkpoint (docs/searches.md, "Hermes"). */
  @Test
  void attemptThatAPolicyEndsIsKilledOnlyAfterItsGracePeriod() {
    RunDefinition definition =
        PolicyRecoveryTest.HERMES.withHermes(
            Optional.of(new HermesDefinition(new HermesRule(3, 2, false), 100, 10, 200)));

    assertThat(killedAfterS(definition, EndReason.PREEMPTED)).isEqualTo(3 * 100 + 200 + 15);
    assertThat(killedAfterS(definition, EndReason.RESIZED)).isEqualTo(3 * 100 + 200 + 15);
    assertThat(killedAfterS(definition, EndReason.STOPPING)).isEqualTo(45);
  }

  private static double killedAfterS(RunDefinition definition, EndReason why) {
    AttemptState attempt =
        AttemptState.starting(0, NOW.minusSeconds(60))
            .attempt(AttemptState.id(1, "1", 1))
            .trial(1)
            .group("1")
            .to(4)
            .places(List.of())
            .build()
            .ending(why, NOW);
    return RetryTimer.nextS(definition, attempt, NOW);
  }
}
