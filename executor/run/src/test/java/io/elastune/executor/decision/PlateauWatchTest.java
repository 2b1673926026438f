package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.PatienceRule;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests searches that end because their metric improves no more. */
class PlateauWatchTest {
  private static final int UNIT_S = 30;

  private static VirtualEnvironment run(PatienceRule rule, double gainPerTrial, int best) {
    return new VirtualEnvironment(
            definition(rule),
            (attempt, script) -> {
              double atS = 1;
              double metric = 0.5 + gainPerTrial * Math.min(attempt.trial(), best);
              for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
                atS += UNIT_S;
                script.report(atS, unit, Map.of("acc", metric));
              }
              script.end(atS, 0, attempt.to(), false);
            })
        .ticking(100_000)
        .run();
  }

  private static RunDefinition definition(PatienceRule rule) {
    RunDefinition some =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(new int[][] {{1, 4}, {1, 4}, {1, 4}, {1, 4}}));
    return RunDefinitionBuilder.builder(some)
        .workload(new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 30, 0, 2))))))
        .patience(Optional.of(rule))
        .build();
  }

  private static PatienceRule trials(int trials, double minGain) {
    return new PatienceRule(OptionalInt.of(trials), OptionalDouble.empty(), minGain);
  }

  private static long started(VirtualEnvironment world) {
    return world.commands.stream().filter(Command.StartAttempt.class::isInstance).count();
  }

  private static List<Reason> reasons(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).reason().code())
        .toList();
  }

  @Test
  void endsAfterTrialsWithoutAnImprovement() {
    VirtualEnvironment world = run(trials(5, 0), 0.01, 3);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(started(world)).isBetween(8L, 9L);
    assertThat(reasons(world)).contains(ReasonCode.PLATEAU_REACHED);
    assertThat(world.state.trials().values())
        .noneMatch(trial -> trial.status() == TrialState.Status.WAITING)
        .noneMatch(trial -> trial.status() == TrialState.Status.RUNNING);
  }

  @Test
  void continuesWhileTheMetricImproves() {
    VirtualEnvironment world = run(trials(5, 0), 0.01, 30);

    assertThat(started(world)).isEqualTo(30);
    assertThat(reasons(world)).doesNotContain(ReasonCode.PLATEAU_REACHED);
  }

  /** Every trial is better than the last one, but only by 0.01. */
  @Test
  void smallGainsAreNoImprovement() {
    VirtualEnvironment world = run(trials(2, 0.05), 0.01, 30);

    assertThat(started(world)).isEqualTo(3);
    assertThat(reasons(world)).contains(ReasonCode.PLATEAU_REACHED);
  }

  @Test
  void endsAfterATimeWithoutAnImprovement() {
    PatienceRule rule = new PatienceRule(OptionalInt.empty(), OptionalDouble.of(10.5 * UNIT_S), 0);
    VirtualEnvironment world = run(rule, 0.01, 3);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(started(world)).isBetween(7L, 9L);
    assertThat(reasons(world)).contains(ReasonCode.PLATEAU_REACHED);
  }

  @Test
  void replayGivesTheSameState() {
    VirtualEnvironment world = run(trials(5, 0), 0.01, 3);
    RunState state = RunState.initial(world.definition);
    for (RunEvent event : world.told) {
      state = new RunCore(world.definition).step(state, event).state();
    }
    assertThat(state).isEqualTo(world.state);
  }
}
