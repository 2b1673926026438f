package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Launches that fail for unknown reasons are shown, and not too often. */
class LaunchFailoverTest {
  private static final RunDefinition DEFINITION =
      WorkedExampleRun.definition(
          WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}));
  private static final Instant AT = VirtualEnvironment.START;

  private final RunStepper run = new RunStepper(new RunCore(DEFINITION), DEFINITION, AT);

  @BeforeEach
  void begin() {
    run.step(new RunEvent.Began(AT));
  }

  private List<JournalNote.Decision> fail(String zone, String message) {
    int before = run.notes.size();
    run.cloud(new CloudEvent.LaunchFailed("test-1-1", Optional.of(zone), message, AT));
    return run.notes.subList(before, run.notes.size()).stream()
        .map(JournalNote.Decision.class::cast)
        .toList();
  }

  @Test
  void firstFailureIsShownWithZoneAndMessage() {
    List<JournalNote.Decision> shown = fail("us-east-1a", "not today [Odd]");

    assertThat(shown)
        .singleElement()
        .extracting(JournalNote.Decision::reason)
        .isEqualTo(
            DecisionReason.of(
                ReasonCode.LAUNCH_FAILED,
                "test-1-1",
                WorkedExampleRun.OFFER.name(),
                "us-east-1a",
                "not today [Odd]"));
  }

  @Test
  void equalFailuresAreShownAtTheFirstTheTenthAndTheHundredth() {
    int shown = 0;
    for (int i = 1; i <= 250; i++) {
      shown += fail("us-east-1a", "not today [Odd]; request 7f3a-" + i).size();
    }

    assertThat(shown).isEqualTo(3);
    assertThat(fail("us-east-1b", "not today [Odd]; request 7f3a-1")).hasSize(1);
    assertThat(fail("us-east-1a", "never [Odd]")).hasSize(1);
  }

  @Test
  void manyDifferentFailuresDoNotFillTheScreen() {
    int shown = 0;
    for (char one = 'a'; one <= 'z'; one++) {
      for (char other = 'a'; other <= 'z'; other++) {
        shown += fail("us-east-1a", "odd " + one + "x" + other).size();
      }
    }

    assertThat(shown).isEqualTo(20 + 3);
  }

  @Test
  void failureOfAReleasedLeaseIsNotShown() {
    run.cloud(new CloudEvent.Terminated("test-1-1", AT));

    assertThat(fail("us-east-1a", "not today [Odd]")).isEmpty();
  }
}
