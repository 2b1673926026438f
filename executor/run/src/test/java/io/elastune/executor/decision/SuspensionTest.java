package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.MeasuredSpeed;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A controller that was suspended for ten minutes while its trials trained for two epochs. */
class SuspensionTest {
  private static final Plan PLAN =
      WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});
  private static final RunDefinition DEFINITION =
      longer(
          WorkedExampleRun.replanned(
              PLAN,
              Optional.of(new Budget(200, 0.8, Budget.OnReach.STOP)),
              OptionalDouble.of(100_000)));
  private static final int SUSPENDED_S = 600;

  private final RunStepper run =
      new RunStepper(new RunCore(DEFINITION), DEFINITION, VirtualEnvironment.START);
  private double usd;
  private MeasuredSpeed speed;
  private String attempt;

  /** The trials start 100 s after the start of the run. */
  @BeforeEach
  void begin() {
    run.step(new RunEvent.Began(at(0)));
    for (LeaseState lease : List.copyOf(run.state.leases().values())) {
      run.cloud(new CloudEvent.Running(lease.lease(), "i-" + lease.number(), at(50)));
      run.cloud(new CloudEvent.Ready(lease.lease(), RunStepper.node(), at(100)));
    }
    attempt = run.state.attempts().values().iterator().next().attempt();
    usd = usd();
    speed = run.state.steering().pace();
  }

  @Test
  void isNoTrainingTime() {
    run.step(new RunEvent.Ticked(OptionalDouble.of(SUSPENDED_S), at(120 + SUSPENDED_S)));
    report(1, 121 + SUSPENDED_S);
    report(2, 122 + SUSPENDED_S);
    run.step(new RunEvent.Ticked(at(130 + SUSPENDED_S)));

    assertThat(run.state.steering().pace()).as("reports that have waited").isEqualTo(speed);
    assertThat(kinds()).contains(DecisionKind.SUSPENDED).doesNotContain(DecisionKind.PACE);
    assertThat(run.state.attempts().values())
        .extracting(AttemptState::ending)
        .containsOnly(AttemptState.EndReason.NOT);
  }

  @Test
  void endsWithTheFirstReportThatHasNotWaited() {
    run.step(new RunEvent.Ticked(OptionalDouble.of(SUSPENDED_S), at(120 + SUSPENDED_S)));
    report(1, 121 + SUSPENDED_S);
    report(2, 150 + SUSPENDED_S);
    assertThat(run.state.steering().pace()).as("begun while suspended").isEqualTo(speed);
    report(3, 180 + SUSPENDED_S);

    assertThat(run.state.steering().pace()).isNotEqualTo(speed);
    assertThat(run.state.steering().pace().factor()).isBetween(0.9, 1.1);
  }

  @Test
  void isPaid() {
    run.step(new RunEvent.Ticked(OptionalDouble.of(SUSPENDED_S), at(120 + SUSPENDED_S)));
    double perS = (usd() - usd) / (20 + SUSPENDED_S);
    double before = usd();
    run.step(new RunEvent.Ticked(at(130 + SUSPENDED_S)));

    assertThat(usd() - before).isCloseTo(10 * perS, withPercentage(1));
  }

  /** Returns the definition with trials that train ten times as many epochs. */
  private static RunDefinition longer(RunDefinition definition) {
    List<TrialGroup> groups =
        definition.workload().groups().stream()
            .map(group -> group.with(group.trials(), 10 * group.fromUnit(), 10 * group.toUnit()))
            .toList();
    return RunDefinitionBuilder.builder(definition)
        .workload(new Workload(List.of(new Chain("", groups))))
        .build();
  }

  private double usd() {
    return Ledger.of(DEFINITION, run.state).spentUsd();
  }

  private void report(int unit, int second) {
    run.step(
        new RunEvent.FromEngine(
            new EngineEvent.Reported(attempt, unit, Map.of("val_acc", 0.5), at(second))));
  }

  private List<DecisionKind> kinds() {
    return run.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).kind())
        .toList();
  }

  private static Instant at(int seconds) {
    return VirtualEnvironment.START.plusSeconds(seconds);
  }
}
