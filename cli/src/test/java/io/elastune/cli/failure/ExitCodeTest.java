package io.elastune.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.RunOutcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ExitCodeTest {
  @ParameterizedTest
  @EnumSource(RunOutcome.class)
  void everyOutcomeHasItsExitCode(RunOutcome outcome) {
    String name = outcome == RunOutcome.COMPLETED ? "DONE" : outcome.name();
    assertThat(ExitCode.of(outcome.exitCode())).isEqualTo(ExitCode.valueOf(name));
  }
}
