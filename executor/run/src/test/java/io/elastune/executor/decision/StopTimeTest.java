package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.job.Job;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
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

/** Tests {@code search.stop.time}: an asynchronous search ends then, with what it has reached. */
class StopTimeTest {
  private static final double STOP_S = 290;
  private static final double UNIT_S = 30;

  private static RunDefinition definition(OptionalDouble stopS, OptionalDouble deadlineS) {
    return definition(RungRule.Variant.PROMOTION, List.of(2, 4), stopS, deadlineS);
  }

  private static RunDefinition definition(
      RungRule.Variant variant,
      List<Integer> targets,
      OptionalDouble stopS,
      OptionalDouble deadlineS) {
    RungRule rule =
        new RungRule(
                targets,
                RungRule.UNLIMITED,
                2,
                variant,
                true,
                OptionalInt.empty(),
                OptionalInt.empty(),
                false)
            .withTime(Optional.of(new RungRule.TimeLimit(stopS, UNIT_S)));
    RunDefinition all = WorkedExampleRun.definition(Workload.of(rule));
    return RunDefinitionBuilder.builder(all)
        .budget(Optional.empty())
        .budgetLeftUsd(OptionalDouble.empty())
        .deadlineS(deadlineS)
        .deadlineMiss(Job.DeadlineMiss.STOP)
        .build();
  }

  private static VirtualEnvironment run(OptionalDouble stopS, OptionalDouble deadlineS) {
    return run(definition(stopS, deadlineS));
  }

  private static VirtualEnvironment run(RunDefinition definition) {
    return new VirtualEnvironment(
            definition,
            (attempt, script) -> {
              double atS = 15;
              for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
                atS += UNIT_S;
                script.report(atS, unit, Map.of("acc", 1 - 0.01 * attempt.trial()));
              }
              script.end(atS, 0, attempt.to(), false);
            })
        .ticking((int) STOP_S + 60)
        .run();
  }

  @Test
  void endsAtItsTime() {
    VirtualEnvironment world = run(OptionalDouble.of(STOP_S), OptionalDouble.of(5_000));

    assertThat(completedS(world.state)).isCloseTo(STOP_S, within(1e-3));
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(reasons(world)).contains(ReasonCode.SEARCH_ENDED_AT_TIME);
    assertThat(world.state.trials().values())
        .noneMatch(trial -> trial.status() == TrialState.Status.WAITING)
        .anyMatch(trial -> trial.status() == TrialState.Status.COMPLETED);
  }

  /** At its deadline the run is on time, also if it stops after it. */
  @Test
  void mayEndAtItsDeadline() {
    VirtualEnvironment world = run(OptionalDouble.empty(), OptionalDouble.of(STOP_S));

    assertThat(completedS(world.state)).isCloseTo(STOP_S, within(1e-3));
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  /** Its trials have passed the first rung, or were stopped there, and none has ended. */
  @Test
  void endsWithTheResultsOfRungs() {
    RunDefinition definition =
        definition(
            RungRule.Variant.STOPPING,
            List.of(2, 400),
            OptionalDouble.of(STOP_S),
            OptionalDouble.of(5_000));

    VirtualEnvironment world = run(definition);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(reasons(world)).contains(ReasonCode.TRIAL_NOT_PROMOTED);
    assertThat(world.state.trials().values())
        .noneMatch(trial -> trial.status() == TrialState.Status.COMPLETED);
    TrialState best =
        world.state.best(definition.metric().goal(), OptionalDouble.empty()).orElseThrow();
    assertThat(best.unit()).isEqualTo(2);
    assertThat(best.metric()).hasValueCloseTo(1 - 0.01 * best.trial(), within(1e-12));
    assertThat(world.state.trials().values())
        .filteredOn(TrialState::hasValue)
        .hasSizeGreaterThan(1)
        .allMatch(trial -> trial.metric().orElseThrow() <= best.metric().orElseThrow());
  }

  /** No trial starts that has no time; the closing phase begins, and what has begun is promoted. */
  @Test
  void startsNoTrialWithTooLittleTime() {
    VirtualEnvironment world = run(OptionalDouble.of(STOP_S), OptionalDouble.empty());

    assertThat(reasons(world)).contains(ReasonCode.NO_TIME_FOR_TRIAL);
    assertThat(reasons(world).indexOf(ReasonCode.NO_TIME_FOR_TRIAL))
        .isLessThan(reasons(world).indexOf(ReasonCode.SEARCH_ENDED_AT_TIME));
  }

  @Test
  void replayGivesTheSameState() {
    RunDefinition definition = definition(OptionalDouble.of(STOP_S), OptionalDouble.of(5_000));
    VirtualEnvironment world = run(OptionalDouble.of(STOP_S), OptionalDouble.of(5_000));
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told) {
      state = new RunCore(definition).step(state, event).state();
    }

    assertThat(state).isEqualTo(world.state);
  }

  private static double completedS(RunState state) {
    return Seconds.between(state.began().orElseThrow(), state.completedAt().orElseThrow());
  }

  private static List<Reason> reasons(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).reason().code())
        .toList();
  }
}
