package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.PopulationRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.Command.StartAttempt;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialParent;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.TrialState.Status;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Tests a population of eight trials in two groups. Metrics fall with the trial's number. */
class PopulationRunTest {
  private static final RunDefinition DEFINITION =
      WorkedExampleRun.definition(
          Workload.of(
              new Chain("", List.of(new TrialGroup("1", 8, 0, 2), new TrialGroup("2", 8, 2, 4))),
              new PopulationRule(0.25, 1)));

  @Test
  void newTrialsStartFromTheirParents() {
    VirtualEnvironment world = run(attempt -> false);

    assertThat(world.state.trials()).hasSize(10);
    assertThat(statuses(world, 7, 8)).containsOnly(Status.STOPPED);
    assertThat(statuses(world, 1, 2, 3, 4, 5, 6, 9, 10)).containsOnly(Status.COMPLETED);
    for (int trial : List.of(9, 10)) {
      TrialParent parent = world.state.trials().get(trial).parent().orElseThrow();
      assertThat(parent.trial()).isIn(1, 2);
      assertThat(parent.unit()).isEqualTo(2);
      assertThat(parent.use()).isEqualTo(TrialParent.Use.REPLACED);
      StartAttempt start = starts(world, trial).get(0);
      assertThat(start.from()).isEqualTo(2);
      assertThat(start.links().parent()).isEqualTo(OptionalInt.of(parent.trial()));
      assertThat(starts(world, parent.trial()).get(1).links().held()).isEqualTo(2);
    }
    assertThat(world.notes)
        .filteredOn(JournalNote.Decision.class::isInstance)
        .extracting(note -> ((JournalNote.Decision) note).reason().code())
        .contains(ReasonCode.TRIALS_REPLACED)
        .doesNotContain(ReasonCode.TRIALS_PROMOTED);
  }

  /** Its instance may end before the checkpoint is copied: the next attempt needs it again. */
  @Test
  void trialThatFailsBeforeItsFirstCheckpointStartsFromItsParentAgain() {
    VirtualEnvironment world = run(attempt -> attempt.attempt().equals("9-2-1"));

    List<StartAttempt> starts = starts(world, 9);
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).from()).isEqualTo(2);
    assertThat(starts.get(1).links()).isEqualTo(starts.get(0).links());
    assertThat(statuses(world, 9)).containsOnly(Status.COMPLETED);
  }

  @Test
  void trialWhoseParentsCheckpointIsLostStartsFromScratch() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                DEFINITION,
                (attempt, script) -> {
                  if (attempt.attempt().equals("9-2-1")) {
                    script.end(5, 1, 0, false);
                  } else {
                    train(attempt, script);
                  }
                })
            .run();

    assertThat(starts(world, 9).get(1).from()).isZero();
    assertThat(starts(world, 9).get(1).links().parent()).isEmpty();
    assertThat(world.state.trials().get(9).parent().orElseThrow().use())
        .isEqualTo(TrialParent.Use.LOST);
    assertThat(world.state.trials().get(9).failures()).isZero();
    assertThat(statuses(world, 9)).containsOnly(Status.COMPLETED);
  }

  @Test
  void replayedEventsGiveTheSameState() {
    VirtualEnvironment world = run(attempt -> attempt.attempt().equals("10-2-1"));
    RunCore core = new RunCore(DEFINITION);
    RunState state = RunState.initial(DEFINITION);
    for (RunEvent event : world.told) {
      state = core.step(state, event).state();
    }

    assertThat(state).isEqualTo(world.state);
  }

  private static VirtualEnvironment run(Predicate<StartAttempt> fails) {
    return new VirtualEnvironment(
            DEFINITION,
            (attempt, script) -> {
              if (fails.test(attempt)) {
                script.end(5, 1, attempt.from(), false);
              } else {
                train(attempt, script);
              }
            })
        .run();
  }

  private static void train(StartAttempt attempt, VirtualEnvironment.Script script) {
    double atS = 15;
    for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
      atS += 40;
      script.report(atS, unit, Map.of("acc", unit - 0.01 * attempt.trial()));
    }
    script.end(atS, 0, attempt.to(), false);
  }

  private static List<StartAttempt> starts(VirtualEnvironment world, int trial) {
    return world.commands.stream()
        .filter(StartAttempt.class::isInstance)
        .map(Command.StartAttempt.class::cast)
        .filter(start -> start.trial() == trial)
        .toList();
  }

  private static List<Status> statuses(VirtualEnvironment world, Integer... trials) {
    return List.of(trials).stream()
        .map(trial -> world.state.trials().get(trial))
        .map(TrialState::status)
        .toList();
  }
}
