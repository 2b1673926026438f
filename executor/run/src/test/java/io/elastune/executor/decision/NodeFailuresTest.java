package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.PreparationStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that cannot become ready. */
class NodeFailuresTest {
  private static final RunDefinition FOUR =
      WorkedExampleRun.definition(
          WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {1, 1}, {1, 2}}));
  private static final RunDefinition ONE =
      WorkedExampleRun.definition(
          WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}));

  private static VirtualEnvironment run(
      RunDefinition definition, Function<String, Optional<PreparationFailure>> failures) {
    return new VirtualEnvironment(definition, WorkedExampleRun.slowed(1))
        .failing(failures)
        .ticking(4_000)
        .run();
  }

  private static Function<String, Optional<PreparationFailure>> only(
      PreparationStep step, Integer... numbers) {
    Set<String> leases = new TreeSet<>();
    for (int number : numbers) {
      leases.add("test-1-" + number);
    }
    return lease ->
        Optional.of(new PreparationFailure(step, "exit 1; last lines:\nno wheel on " + lease))
            .filter(failure -> leases.contains(lease));
  }

  private static Function<String, Optional<PreparationFailure>> all(PreparationStep step) {
    return lease -> Optional.of(new PreparationFailure(step, "exit 1; last lines:\n" + lease));
  }

  private static List<JournalNote.Decision> decisions(
      VirtualEnvironment environment, DecisionKind kind) {
    List<JournalNote.Decision> found = new ArrayList<>();
    for (JournalNote note : environment.notes) {
      if (note instanceof JournalNote.Decision decision && decision.kind() == kind) {
        found.add(decision);
      }
    }
    return found;
  }

  private static List<Reason> reasons(VirtualEnvironment environment, DecisionKind kind) {
    return decisions(environment, kind).stream().map(note -> note.reason().code()).toList();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void oneBadNodeOfFourIsReplaced(PreparationStep step) {
    VirtualEnvironment environment = run(FOUR, only(step, 3));

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(environment.state.leases()).hasSize(5);
    LeaseState bad = environment.state.leases().get(3);
    assertThat(bad.failedStep()).contains(step);
    assertThat(bad.readyAt()).isEmpty();
    assertThat(decisions(environment, DecisionKind.NODE_FAILED))
        .singleElement()
        .satisfies(
            decision -> {
              assertThat(decision.reason())
                  .isEqualTo(
                      DecisionReason.of(
                          ReasonCode.NODE_FAILED,
                          "test-1-3",
                          step.name(),
                          "exit 1; last lines:\nno wheel on test-1-3"));
              assertThat(decision.numbers().get("lost_usd")).isPositive();
            });
    assertThat(reasons(environment, DecisionKind.RELEASE)).contains(ReasonCode.RELEASED_UNUSABLE);
  }

  /** The nodes that boot with it become ready a moment later. */
  @Test
  void firstNodeMayBeTheBadOne() {
    VirtualEnvironment environment = run(FOUR, only(PreparationStep.JOIN, 1));

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(environment.state.leases()).hasSize(5);
    assertThat(reasons(environment, DecisionKind.NODE_FAILED))
        .containsExactly(ReasonCode.NODE_FAILED_AND_NONE_READY);
  }

  @Test
  void runOfOneNodeSurvivesTwoBadNodes() {
    VirtualEnvironment environment = run(ONE, only(PreparationStep.SETUP, 1, 2));

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(environment.state.leases()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void typoBootsThreeNodes(PreparationStep step) {
    VirtualEnvironment environment = run(ONE, all(step));

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(environment.state.leases()).hasSize(3);
    assertThat(environment.state.leases().values())
        .allMatch(lease -> lease.phase() == LeaseState.Phase.GONE);
    assertThat(environment.state.ending().reason())
        .contains(
            DecisionReason.of(
                ReasonCode.NO_NODE_READY,
                "test-1-1",
                step.name(),
                "exit 1; last lines:\ntest-1-1"));
  }

  /** Of a fleet, the requests that the cloud has not fulfilled yet are withdrawn. */
  @Test
  void failureBeforeAnyNodeIsReadyWithdrawsPendingRequests() {
    RunCore core = new RunCore(FOUR);
    Instant at = VirtualEnvironment.START;
    RunStepper run = new RunStepper(core, FOUR, at);
    run.step(new RunEvent.Began(at));
    run.cloud(new CloudEvent.Running("test-1-1", "i-1", at));
    run.cloud(new CloudEvent.PreparationFailed("test-1-1", PreparationStep.SETUP, "exit 4", at));

    assertThat(run.state.leases().values().stream().filter(LeaseState::held))
        .extracting(LeaseState::lease)
        .containsExactly("test-1-2");

    run.cloud(new CloudEvent.Running("test-1-2", "i-2", at));
    run.cloud(new CloudEvent.Ready("test-1-2", RunStepper.node(), at));

    assertThat(run.state.leases().values().stream().filter(LeaseState::held))
        .as("the others are requested once a node is ready")
        .hasSize(4);
  }

  /** Without a ready node, a lost node is replaced by one node as well. */
  @Test
  void requestsAreLimitedToOneAtATimeUntilANodeIsReady() {
    VirtualEnvironment environment = run(FOUR, only(PreparationStep.SETUP, 1, 2));

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(environment.state.leases()).hasSize(6);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void runContinuesOnTheNodeThatWorks(boolean isReplanned) {
    RunDefinition definition =
        isReplanned
            ? WorkedExampleRun.replanned(FOUR.plan(), Optional.empty(), OptionalDouble.of(9_000))
            : FOUR;
    VirtualEnvironment environment =
        new VirtualEnvironment(definition, WorkedExampleRun.slowed(1))
            .failing(
                lease ->
                    lease.equals("test-1-1")
                        ? Optional.empty()
                        : all(PreparationStep.ACCEPTANCE).apply(lease))
            .planning(question -> ReplanResponse.NONE)
            .ticking(9_000)
            .run();

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(reasons(environment, DecisionKind.NODE_FAILED))
        .contains(ReasonCode.NODE_FAILED)
        .hasSizeBetween(3, 20);
  }

  /** The last replacement fails, and no instance is left that works. */
  @Test
  void runEndsIfNoReplacementWorksAfterTheOnlyNodeIsLost() {
    VirtualEnvironment environment =
        new VirtualEnvironment(ONE, WorkedExampleRun.slowed(1))
            .failing(
                lease ->
                    lease.equals("test-1-1")
                        ? Optional.empty()
                        : all(PreparationStep.JOIN).apply(lease))
            .ticking(9_000);
    environment.post(
        new RunEvent.FromCloud(
            new CloudEvent.Lost(
                "test-1-1", LossReason.FAILED, "gone", VirtualEnvironment.START.plusSeconds(100))));
    environment.run();

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(environment.state.ending().reason().orElseThrow().code())
        .isEqualTo(ReasonCode.NO_NODE_READY);
  }

  @Test
  void mostFrequentFailureIsNamedBesideTheFirst() {
    VirtualEnvironment environment =
        run(
            ONE,
            lease ->
                Optional.of(
                    lease.equals("test-1-1")
                        ? new PreparationFailure(PreparationStep.JOIN, "exit 1; no route")
                        : new PreparationFailure(
                            PreparationStep.SETUP, "exit 4; line 7 " + lease)));

    assertThat(environment.state.ending().reason())
        .contains(
            DecisionReason.of(
                ReasonCode.NO_NODE_READY,
                "test-1-1",
                "JOIN",
                "exit 1; no route",
                "test-1-2",
                "SETUP",
                "exit 4; line 7 test-1-2"));
  }

  /** The user may have corrected the setup. */
  @Test
  void resumeCountsFailuresAgain() {
    VirtualEnvironment environment = run(ONE, all(PreparationStep.SETUP));
    environment.failing(lease -> Optional.empty());
    environment.resume(new RunEvent.Resumed(0, environment.now.plusSeconds(60)));

    assertThat(environment.state.failedTrials()).isZero();
    assertThat(environment.state.steering().failedNodes().nodes()).isEmpty();
    assertThat(environment.state.leases()).hasSize(4);
  }

  /** What an earlier version has decided is decided again. */
  @Test
  void failureOfUnknownStepStopsTheRun() {
    VirtualEnvironment environment = run(FOUR, only(PreparationStep.UNKNOWN, 3));

    assertThat(environment.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(environment.state.ending().reason().orElseThrow().code())
        .isEqualTo(ReasonCode.SETUP_FAILED);
  }

  @Test
  void nodeOfAStoppingRunIsReleasedWithoutAReplacement() {
    RunStepper run = new RunStepper(new RunCore(FOUR), FOUR, VirtualEnvironment.START);
    Instant at = VirtualEnvironment.START;
    run.step(new RunEvent.Began(at));
    run.cloud(new CloudEvent.Running("test-1-1", "i-1", at));
    run.step(new RunEvent.StopAsked(RunOutcome.INTERRUPTED, false, "the user", at));
    run.cloud(new CloudEvent.PreparationFailed("test-1-1", PreparationStep.SETUP, "exit 4", at));

    assertThat(run.state.leases()).hasSize(4);
    assertThat(run.state.ending().outcome()).isEqualTo(RunOutcome.INTERRUPTED);
  }
}
