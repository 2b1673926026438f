package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.RungState;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.JournalNote;
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

/**
 * Tests {@code deadline_miss: close}: after the deadline, an asynchronous search starts no trial.
 */
class DeadlineCloseTest {
  private static final int TRIALS = 40;
  private static final double DEADLINE_S = 200;

  private static final Workload RUNGS =
      Workload.of(
          new RungRule(
              List.of(2, 4),
              TRIALS,
              2,
              RungRule.Variant.PROMOTION,
              true,
              OptionalInt.empty(),
              OptionalInt.empty(),
              false));

  @Test
  void startsNoNewTrialAfterTheDeadline() {
    VirtualEnvironment world = run(Job.DeadlineMiss.CLOSE);
    VirtualEnvironment whole = run(Job.DeadlineMiss.FINISH);

    assertThat(whole.state.trials()).hasSize(TRIALS);
    assertThat(world.state.trials().size()).isBetween(1, TRIALS - 1);
    assertThat(reasons(world)).contains(ReasonCode.DEADLINE_PASSED_FOR_TRIAL);
    assertThat(reasons(whole)).doesNotContain(ReasonCode.DEADLINE_PASSED_FOR_TRIAL);
    assertThat(newTrialsAfterDeadline(world, Job.DeadlineMiss.CLOSE)).isZero();
    assertThat(newTrialsAfterDeadline(whole, Job.DeadlineMiss.FINISH)).isPositive();
  }

  /** What has started is trained as far as the rules of the search say. */
  @Test
  void promotesTheBestOfThoseThatStarted() {
    VirtualEnvironment world = run(Job.DeadlineMiss.CLOSE);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.DEADLINE_MISSED);
    RungState rungs = world.state.chains().get(0).rungs().orElseThrow();
    assertThat(rungs.isFinished()).isTrue();
    assertThat(rungs.results().get(0).get(0)).hasSize(world.state.trials().size());
    assertThat(rungs.results().get(0).get(1))
        .hasSizeBetween(world.state.trials().size() / 2, world.state.trials().size());
    assertThat(world.state.trials().values())
        .noneMatch(trial -> trial.status() == TrialState.Status.WAITING);
  }

  @Test
  void replayGivesTheSameState() {
    VirtualEnvironment world = run(Job.DeadlineMiss.CLOSE);
    RunState state = RunState.initial(definition(Job.DeadlineMiss.CLOSE));
    for (RunEvent event : world.told) {
      state = new RunCore(definition(Job.DeadlineMiss.CLOSE)).step(state, event).state();
    }
    assertThat(state).isEqualTo(world.state);
  }

  private static int newTrialsAfterDeadline(VirtualEnvironment world, Job.DeadlineMiss miss) {
    RunCore core = new RunCore(definition(miss));
    RunState state = RunState.initial(definition(miss));
    int before = 0;
    for (RunEvent event : world.told) {
      state = core.step(state, event).state();
      if (Seconds.between(state.began().orElseThrow(), state.now()) <= DEADLINE_S) {
        before = state.trials().size();
      }
    }
    return state.trials().size() - before;
  }

  private static RunDefinition definition(Job.DeadlineMiss miss) {
    RunDefinition all = WorkedExampleRun.definition(RUNGS);
    return RunDefinitionBuilder.builder(all)
        .workload(RUNGS)
        .budget(Optional.empty())
        .budgetLeftUsd(OptionalDouble.empty())
        .deadlineS(OptionalDouble.of(DEADLINE_S))
        .deadlineMiss(miss)
        .build();
  }

  private static VirtualEnvironment run(Job.DeadlineMiss miss) {
    return new VirtualEnvironment(
            definition(miss),
            (attempt, script) -> {
              double atS = 15;
              for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
                atS += 30;
                script.report(atS, unit, Map.of("acc", 0.01 * attempt.trial()));
              }
              script.end(atS, 0, attempt.to(), false);
            })
        .run();
  }

  private static List<Reason> reasons(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).reason().code())
        .toList();
  }
}
