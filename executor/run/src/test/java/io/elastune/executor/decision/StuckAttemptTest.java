package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Tests a stop of a run whose attempts never end: its instances are paid until they are released.
 */
class StuckAttemptTest {
  private static final double DEADLINE_S = 120;

  /** The grace period of a trial, with what an engine needs after it. */
  private static final double GRACE_S = 45;

  private static RunDefinition definition() {
    RunDefinition all =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}}));
    return RunDefinitionBuilder.builder(all)
        .budget(Optional.empty())
        .budgetLeftUsd(OptionalDouble.empty())
        .deadlineS(OptionalDouble.of(DEADLINE_S))
        .deadlineMiss(Job.DeadlineMiss.STOP)
        .build();
  }

  @Test
  void instancesAreReleasedAfterTheGracePeriod() {
    VirtualEnvironment world =
        new VirtualEnvironment(definition(), (attempt, script) -> {}).stuck().active().ticking(400);
    List<Instant> released = new ArrayList<>();
    world.watcher =
        command -> {
          if (command instanceof Command.ReleaseInstance) {
            released.add(world.now);
          }
        };
    world.run();

    assertThat(world.commands).hasAtLeastOneElementOfType(Command.StopAttempt.class);
    assertThat(released).isNotEmpty();
    assertThat(released)
        .allSatisfy(
            at ->
                assertThat(Seconds.between(VirtualEnvironment.START, at))
                    .isLessThanOrEqualTo(DEADLINE_S + GRACE_S + 2));
    assertThat(world.state.phase()).isEqualTo(RunState.Phase.FINISHED);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.DEADLINE_MISSED);
    assertThat(world.state.ending().instancesLeft()).isZero();
    assertThat(world.notes)
        .filteredOn(JournalNote.TrialFault.class::isInstance)
        .extracting(note -> ((JournalNote.TrialFault) note).message())
        .contains("has not ended within its grace period; its instances are released");
  }
}
