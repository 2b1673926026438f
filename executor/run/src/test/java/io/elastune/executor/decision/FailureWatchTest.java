package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.FailureRule;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.MeasurementRule;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests when equal failures of several trials stop a run. */
class FailureWatchTest {
  private static final String IMPORT =
      "exit 1; last lines:\nModuleNotFoundError: No module named 'elastune_trial'";

  /** One trial at a time. */
  private static RunDefinition sequential() {
    return definition(1, 4);
  }

  /** All trials at the same time. */
  private static RunDefinition concurrent() {
    return definition(4, 1);
  }

  private static RunDefinition definition(int instances, int gpusPerTrial) {
    int[] first = {instances, gpusPerTrial};
    int[] later = {1, gpusPerTrial};
    RunDefinition some =
        WorkedExampleRun.definition(WorkedExampleRun.plan(first, later, later, later));
    return RunDefinitionBuilder.builder(some)
        .forecasts(Map.of("1", new RunDefinition.Forecast(60, 0.5)))
        .build()
        .withFailures(FailureRule.DEFAULT);
  }

  private static VirtualEnvironment run(
      RunDefinition definition, VirtualEnvironment.AttemptResponder trials) {
    return new VirtualEnvironment(definition, trials).run();
  }

  private static void succeed(Command.StartAttempt attempt, VirtualEnvironment.Script script) {
    script.report(9, attempt.to(), 0.5).end(9.5, 0, attempt.to(), false);
  }

  private static List<Integer> started(VirtualEnvironment world) {
    List<Integer> trials = new ArrayList<>();
    for (Command command : world.commands) {
      if (command instanceof Command.StartAttempt start && !trials.contains(start.trial())) {
        trials.add(start.trial());
      }
    }
    return trials;
  }

  private static List<Reason> failures(VirtualEnvironment world) {
    List<Reason> found = new ArrayList<>();
    for (JournalNote note : world.notes) {
      if (note instanceof JournalNote.Decision decision
          && decision.kind() == DecisionKind.FAILURES) {
        found.add(decision.reason().code());
      }
    }
    return found;
  }

  private static Reason end(VirtualEnvironment world) {
    return world.state.ending().reason().orElseThrow().code();
  }

  @Test
  void stopsAfterThreeEqualFailuresOfThreeTrials() {
    VirtualEnvironment world = run(sequential(), (attempt, script) -> script.fail(3, IMPORT));

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(end(world)).isEqualTo(ReasonCode.STOPPED_AFTER_EQUAL_FAILURES);
    assertThat(world.state.ending().reason().orElseThrow().details())
        .containsExactly("3", "missing module", "elastune_trial");
    assertThat(started(world)).hasSize(3);
  }

  @Test
  void attemptsOfOneTrialCountOnce() {
    VirtualEnvironment world =
        run(
            sequential(),
            (attempt, script) -> {
              if (attempt.trial() <= 2) {
                script.fail(3, IMPORT);
              } else {
                succeed(attempt, script);
              }
            });

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  @Test
  void differentFailuresDoNotStop() {
    VirtualEnvironment world =
        run(
            sequential(),
            (attempt, script) ->
                script.fail(3, "exit 1; last lines:\nKeyError: " + "x".repeat(attempt.trial())));

    assertThat(end(world)).isEqualTo(ReasonCode.NO_TRIAL_SUCCEEDED);
  }

  /** A success shows that the program works, so the search continues with other configurations. */
  @Test
  void continuesAfterASuccessAndNamesTheCauseOnce() {
    VirtualEnvironment world =
        run(
            sequential(),
            (attempt, script) -> {
              if (attempt.trial() == 1 || attempt.trial() > 6) {
                succeed(attempt, script);
              } else {
                script.fail(3, IMPORT);
              }
            });

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(failures(world)).containsExactly(ReasonCode.FAILURES_EQUAL);
  }

  /** Those that fail at once must not stop others that started with them and are still training. */
  @Test
  void waitsForTrialsThatStartedEarlier() {
    VirtualEnvironment world =
        run(
            concurrent(),
            (attempt, script) -> {
              if (attempt.trial() % 2 == 0) {
                script.fail(3, IMPORT);
              } else {
                succeed(attempt, script);
              }
            });

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  /** The same configuration would need the same memory again. */
  @Test
  void configurationThatExhaustsTheMemoryIsNotRepeated() {
    VirtualEnvironment world =
        run(
            sequential(),
            (attempt, script) -> {
              if (attempt.trial() == 2) {
                script.fail(3, "exit 1; last lines:\ntorch.OutOfMemoryError: CUDA out of memory.");
              } else if (attempt.trial() == 3) {
                script.fail(3, "exit 1; last lines:\nKeyError: 1");
              } else {
                succeed(attempt, script);
              }
            });

    assertThat(world.state.trials().get(2).attempts()).isEqualTo(1);
    assertThat(world.state.trials().get(2).outOfMemory()).isTrue();
    assertThat(world.state.trials().get(2).status()).isEqualTo(TrialState.Status.FAILED);
    assertThat(world.state.trials().get(3).attempts()).isEqualTo(3);
    assertThat(world.state.trials().get(3).outOfMemory()).isFalse();
  }

  @Test
  void runsOfEarlierVersionsDoNotStop() {
    RunDefinition before =
        RunDefinitionBuilder.builder(sequential()).failures(Optional.empty()).build();
    VirtualEnvironment world = run(before, (attempt, script) -> script.fail(3, IMPORT));

    assertThat(end(world)).isEqualTo(ReasonCode.NO_TRIAL_SUCCEEDED);
    assertThat(started(world)).hasSizeGreaterThan(3);
  }

  /** A first short attempt of each trial succeeds, and no trial gets further. */
  @Test
  void profilingStopsIfNoTrialGetsFurtherThanTheFailedOnes() {
    VirtualEnvironment world =
        run(
            profiling(),
            (attempt, script) -> {
              if (attempt.to() == 1) {
                succeed(attempt, script);
              } else {
                script
                    .report(4, 2, 0.5)
                    .report(8, 3, 0.5)
                    .fail(9, "exited 0 without the report for unit " + attempt.to());
              }
            });

    assertThat(end(world)).isEqualTo(ReasonCode.STOPPED_AFTER_EQUAL_FAILURES);
    assertThat(started(world)).hasSize(3);
  }

  private static RunDefinition profiling() {
    RunDefinition one = sequential();
    Allocation allocation = one.plan().allocations().values().iterator().next();
    return RunDefinitionBuilder.builder(one)
        .workload(new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 1, 0, 100))))))
        .plan(new Plan(false, Map.of("1", allocation)))
        .forecasts(Map.of())
        .hangLimits(Map.of())
        .maxFailures(0)
        .build()
        .withMeasurement(new MeasurementRule(1000, 2000, 1, 0, 10));
  }
}
