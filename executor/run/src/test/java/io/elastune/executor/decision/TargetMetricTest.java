package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Metric;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests searches that end when a trial reaches a metric. */
class TargetMetricTest {
  private static final Workload RUNGS =
      Workload.of(
          new RungRule(
              List.of(2, 4),
              8,
              2,
              RungRule.Variant.PROMOTION,
              true,
              OptionalInt.empty(),
              OptionalInt.empty(),
              false));

  /** Trial 3 reports 0.9 at its first unit; all others stay below 0.5. */
  @Test
  void searchEndsAtTheReport() {
    for (Workload workload : List.of(WorkedExampleRun.WORKLOAD, RUNGS)) {
      VirtualEnvironment world = run(workload, OptionalDouble.of(0.9), 1);
      VirtualEnvironment whole = run(workload, OptionalDouble.of(0.91), 1);

      assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
      assertThat(world.state.trials().get(3).status()).isEqualTo(TrialState.Status.STOPPED);
      assertThat(world.state.trials().values())
          .noneMatch(trial -> trial.status() == TrialState.Status.WAITING)
          .noneMatch(trial -> trial.status() == TrialState.Status.RUNNING);
      assertThat(starts(world)).isLessThan(starts(whole));
      assertThat(reasons(world)).contains(ReasonCode.TARGET_REACHED);
      assertThat(reasons(whole)).doesNotContain(ReasonCode.TARGET_REACHED);
      assertThat(world.state.completedAt().orElseThrow())
          .isBefore(whole.state.completedAt().orElseThrow());
      assertThat(
              world.state.best(Metric.Goal.MAXIMIZE, OptionalDouble.of(0.9)).map(TrialState::trial))
          .contains(3);
    }
  }

  @Test
  void trialThatIsFullyTrainedIsCompleted() {
    VirtualEnvironment world = run(RUNGS, OptionalDouble.of(0.9), 4);

    assertThat(world.state.trials().get(3).status()).isEqualTo(TrialState.Status.COMPLETED);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  @Test
  void replayGivesTheSameState() {
    RunDefinition definition = definition(RUNGS, OptionalDouble.of(0.9));
    VirtualEnvironment world = run(RUNGS, OptionalDouble.of(0.9), 1);
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told) {
      state = new RunCore(definition).step(state, event).state();
    }
    assertThat(state).isEqualTo(world.state);
  }

  private static RunDefinition definition(Workload workload, OptionalDouble target) {
    return WorkedExampleRun.definition(workload.withTarget(target));
  }

  private static VirtualEnvironment run(Workload workload, OptionalDouble target, int goodFrom) {
    return new VirtualEnvironment(
            definition(workload, target),
            (attempt, script) -> {
              double atS = 15;
              for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
                atS += 30;
                boolean isGood = attempt.trial() == 3 && unit >= goodFrom;
                double other = attempt.trial() == 3 ? 0.45 : 0.4 - 0.01 * attempt.trial();
                script.report(atS, unit, Map.of("acc", isGood ? 0.9 : other));
              }
              script.end(atS, 0, attempt.to(), false);
            })
        .run();
  }

  private static long starts(VirtualEnvironment world) {
    return world.commands.stream().filter(Command.StartAttempt.class::isInstance).count();
  }

  private static List<Reason> reasons(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).reason().code())
        .toList();
  }
}
