package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Events that arrive late, twice or never; the cases come from rehearsals with faults. */
class LateEventsTest {
  private static final Instant START = Instant.parse("2026-11-20T06:00:00Z");
  private static final String LEASE = "test-1-1";
  private static final String ATTEMPT = "1-1-1";
  private static final int[][] ONE_INSTANCE = {{1, 1}, {1, 1}, {1, 1}, {1, 1}};
  private static final int[][] TWO_INSTANCES = {{2, 1}, {1, 1}, {1, 1}, {1, 1}};
  private static final Optional<Budget> NO_BUDGET = Optional.empty();
  private static final OptionalDouble NONE = OptionalDouble.empty();
  private static final OptionalDouble DEADLINE_S = OptionalDouble.of(100);

  private RunDefinition definition =
      WorkedExampleRun.definition(WorkedExampleRun.plan(ONE_INSTANCE));
  private RunState state = RunState.initial(definition);
  private List<Command> commands = List.of();
  private List<JournalNote> journalNotes = List.of();

  @Test
  void requestsStayWithinBudget() {
    Budget budget = new Budget(0.2, 0.8, Budget.OnReach.STOP);
    definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(ONE_INSTANCE), Optional.of(budget), OptionalDouble.empty());
    state = RunState.initial(definition);

    take(new RunEvent.Began(START));

    assertThat(commands).noneMatch(Command.RequestInstance.class::isInstance);
    assertThat(state.ending().exitCode()).isEqualTo(11);
  }

  @Test
  void lateBillingStartIsCounted() {
    take(new RunEvent.Began(START));
    take(new RunEvent.StopAsked(RunOutcome.INTERRUPTED, true, "a test", START.plusSeconds(100)));
    cloud(new CloudEvent.Terminated(LEASE, START.plusSeconds(110)));

    assertThat(commands).anyMatch(Command.AdoptInstance.class::isInstance);
    assertThat(Ledger.of(definition, state).spentUsd()).isZero();
    assertThat(Ledger.of(definition, state).committedUsd()).isPositive();

    cloud(new CloudEvent.Running(LEASE, "i-1", START.plusSeconds(10)));

    assertThat(Ledger.of(definition, state).spentUsd()).isGreaterThan(0.3);
  }

  /**
   * Recorded rehearsal h1 10001228: the start was reported after the next request, and lost once.
   */
  @Test
  void endAloneIsBilledFromTheStart() {
    take(new RunEvent.Began(START));
    take(new RunEvent.Resumed(0, START.plusSeconds(200)));
    cloud(
        new CloudEvent.Terminated(
            LEASE, Optional.of(START.plusSeconds(10)), START.plusSeconds(110)));

    assertThat(Ledger.of(definition, state).spentUsd()).isGreaterThan(0.3);
  }

  @Test
  void repeatedEndAddsTheStart() {
    take(new RunEvent.Began(START));
    take(new RunEvent.Resumed(0, START.plusSeconds(200)));
    cloud(new CloudEvent.Terminated(LEASE, START.plusSeconds(190)));
    assertThat(Ledger.of(definition, state).spentUsd()).isZero();

    cloud(
        new CloudEvent.Terminated(
            LEASE, Optional.of(START.plusSeconds(10)), START.plusSeconds(110)));

    assertThat(Ledger.of(definition, state).spentUsd()).isBetween(0.3, 0.4);
  }

  @Test
  void lateEndUpdatesTheCheckpoint() {
    start();
    cloud(new CloudEvent.Lost(LEASE, LossReason.FAILED, "broken", START.plusSeconds(90)));
    cloud(new CloudEvent.Terminated(LEASE, START.plusSeconds(90)));
    for (int second = 91; state.attempts().containsKey(ATTEMPT); second++) {
      assertThat(second).isLessThan(600);
      take(new RunEvent.Ticked(START.plusSeconds(second)));
    }
    assertThat(trial().checkpoint()).isZero();

    engine(ended(137, 1, START.plusSeconds(90)));

    assertThat(trial().checkpoint()).isEqualTo(1);
    assertThat(trial().failures()).isZero();
  }

  /**
   * Rehearsal of spare instances 174: an attempt on an instance out of reach had saved newer
   * checkpoints, and removed the one that the next attempt was to resume from.
   */
  @Test
  void newerCheckpointThanTheOneToResumeFromIsUsed() {
    TrialGroup group = new TrialGroup("1", 4, 0, 4);
    definition = WorkedExampleRun.definition(new Workload(List.of(new Chain("", List.of(group)))));
    state = RunState.initial(definition);
    start();
    engine(ended(1, 2, START.plusSeconds(90)));

    assertThat(trial().failures()).isZero();
    assertThat(commands)
        .filteredOn(Command.StartAttempt.class::isInstance)
        .map(command -> ((Command.StartAttempt) command).from())
        .containsExactly(2);

    engine(
        new EngineEvent.Ended(
            "1-1-2", 1, OptionalInt.of(2), false, "broken", START.plusSeconds(100)));

    assertThat(trial().failures()).as("it fails with the newest checkpoint, too").isEqualTo(1);
  }

  @Test
  void attemptEndedBeforeTheStopIsNotHung() {
    start();
    take(new RunEvent.Ticked(START.plusSeconds(400)));
    for (String attempt : List.copyOf(state.attempts().keySet())) {
      engine(new EngineEvent.Active(attempt, 390, START.plusSeconds(400)));
    }
    assertThat(state.attempts().values()).allMatch(a -> a.ending() == AttemptState.EndReason.HUNG);

    engine(
        new EngineEvent.Ended(
            ATTEMPT, 137, OptionalInt.empty(), false, "gone", START.plusSeconds(100), true));

    assertThat(trial().failures()).isZero();
  }

  @Test
  void endWithTheControllerIsNoFailure() {
    start();
    take(new RunEvent.Resumed(0, START.plusSeconds(120)));
    cloud(new CloudEvent.Running(LEASE, "i-1", START.plusSeconds(15)));
    cloud(ready());
    engine(new EngineEvent.Reported(ATTEMPT, 2, Map.of(), START.plusSeconds(115)));
    engine(ended(137, 1, START.plusSeconds(116)));

    assertThat(trial().failures()).isZero();
  }

  /** Rehearsal `sharing` 2445: the run ended although the cloud would have answered in time. */
  @Test
  void clockJumpDoesNotEndTheShutdown() {
    Instant stopped = START.plusSeconds(100);
    definition = WorkedExampleRun.definition(WorkedExampleRun.plan(TWO_INSTANCES));
    state = RunState.initial(definition);
    take(new RunEvent.Began(START));
    take(new RunEvent.StopAsked(RunOutcome.INTERRUPTED, true, "a test", stopped));
    cloud(new CloudEvent.Terminated("test-1-2", stopped.plusSeconds(105))); // by the cloud's clock

    for (int second = 106; second < 690; second++) {
      take(new RunEvent.Ticked(stopped.plusSeconds(second)));
    }

    assertThat(state.phase()).isEqualTo(RunState.Phase.RELEASING);
    take(new RunEvent.Ticked(stopped.plusSeconds(710)));
    assertThat(state.ending().exitCode()).isEqualTo(20);
  }

  /** Rehearsal `sharing` 1435: after a kill at its start, the run had its whole deadline again. */
  @Test
  void timeCountsFromConfirmation() {
    definition =
        WorkedExampleRun.definition(WorkedExampleRun.plan(ONE_INSTANCE))
            .withLimits(NO_BUDGET, NONE, DEADLINE_S);
    state = RunState.confirmed(definition, START);

    take(new RunEvent.Resumed(0, START.plusSeconds(120)));

    assertThat(state.began()).contains(START);
    assertThat(journalNotes)
        .anyMatch(n -> n instanceof JournalNote.Decision d && d.kind() == DecisionKind.AT_RISK);
  }

  private void start() {
    take(new RunEvent.Began(START));
    cloud(new CloudEvent.Running(LEASE, "i-1", START.plusSeconds(15)));
    cloud(ready());
    assertThat(state.attempts()).containsKey(ATTEMPT);
  }

  private static CloudEvent ready() {
    return new CloudEvent.Ready(
        LEASE, new Node("i-1", List.of("0", "1", "2", "3")), START.plusSeconds(75));
  }

  private static EngineEvent.Ended ended(int exitCode, int checkpoint, Instant at) {
    return new EngineEvent.Ended(
        ATTEMPT, exitCode, OptionalInt.of(checkpoint), false, "exit " + exitCode, at);
  }

  private TrialState trial() {
    return Objects.requireNonNull(state.trials().get(1));
  }

  private void cloud(CloudEvent event) {
    take(new RunEvent.FromCloud(event));
  }

  private void engine(EngineEvent event) {
    take(new RunEvent.FromEngine(event));
  }

  private void take(RunEvent event) {
    StepResult stepResult = new RunCore(definition).step(state, event);
    state = stepResult.state();
    commands = stepResult.commands();
    journalNotes = stepResult.notes();
  }
}
