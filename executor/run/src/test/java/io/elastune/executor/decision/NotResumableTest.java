package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunOutcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests trials that save no checkpoints, in the worked example. */
class NotResumableTest {
  private static final RunDefinition DEFINITION =
      RunDefinitionBuilder.builder()
          .run("test-1")
          .workload(WorkedExampleRun.WORKLOAD.resumable(false))
          .plan(WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}}))
          .offers(Map.of(WorkedExampleRun.OFFER.name(), WorkedExampleRun.OFFER))
          .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
          .maxFailures(2)
          .deadlineMiss(Job.DeadlineMiss.FINISH)
          .forecasts(Map.of())
          .hangLimits(Map.of())
          .graceS(30)
          .running(HourlyCosts.NONE)
          .build();

  @Test
  void everyGroupTrainsFromTheStart() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                DEFINITION,
                (attempt, script) ->
                    script.report(10, attempt.to(), attempt.trial() / 100.0).end(11, 0, 0, false))
            .run();

    List<Command.StartAttempt> starts =
        world.commands.stream()
            .filter(Command.StartAttempt.class::isInstance)
            .map(Command.StartAttempt.class::cast)
            .toList();
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(starts).hasSize(30).allMatch(start -> start.from() == 0);
    assertThat(starts.get(29).to()).isEqualTo(8);
    assertThat(world.notes).noneMatch(JournalNote.TrialFault.class::isInstance);
  }

  @Test
  void checkpointIsNotUsed() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                DEFINITION,
                (attempt, script) -> {
                  if (attempt.attempt().equals("15-4-4")) {
                    script.end(11, 1, 6, false);
                  } else {
                    script
                        .report(10, attempt.to(), attempt.trial() / 100.0)
                        .end(11, 0, attempt.to(), false);
                  }
                })
            .run();

    assertThat(world.commands)
        .filteredOn(Command.StartAttempt.class::isInstance)
        .extracting(command -> ((Command.StartAttempt) command).from())
        .containsOnly(0);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }
}
