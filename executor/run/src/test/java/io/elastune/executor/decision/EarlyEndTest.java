package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.TrialState.Status;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests trials that report that they need no more training, in the worked example: 16 trials to
 * unit 1, 8 to 2, 4 to 4, 2 to 8. Metrics rise with the trial's number.
 */
class EarlyEndTest {
  private static final int[][] PLAN = {{4, 1}, {2, 1}, {2, 2}, {2, 4}};

  /** A trial that follows the protocol. */
  private static void train(Command.StartAttempt attempt, VirtualEnvironment.Script script) {
    for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
      script.report(10 * (unit - attempt.from()), unit, attempt.trial() / 100.0);
    }
    script.end(10 * (attempt.to() - attempt.from()), 0, attempt.to(), false);
  }

  private static VirtualEnvironment run(VirtualEnvironment.AttemptResponder trials) {
    return new VirtualEnvironment(WorkedExampleRun.definition(WorkedExampleRun.plan(PLAN)), trials)
        .run();
  }

  private static List<String> attemptsOf(VirtualEnvironment world, int trial) {
    return world.commands.stream()
        .filter(Command.StartAttempt.class::isInstance)
        .map(Command.StartAttempt.class::cast)
        .filter(start -> start.trial() == trial)
        .map(Command.StartAttempt::attempt)
        .toList();
  }

  private static List<String> faults(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.TrialFault.class::isInstance)
        .map(note -> ((JournalNote.TrialFault) note).message())
        .toList();
  }

  private static TrialState trial(VirtualEnvironment world, int number) {
    TrialState trial = new TreeMap<>(world.state.trials()).get(number);
    assertThat(trial).isNotNull();
    return trial;
  }

  /** Trial 16, the best one, is done at unit 3 of 4 in the third group. */
  private static void bestEndsAtUnit3(
      Command.StartAttempt attempt, VirtualEnvironment.Script script) {
    if (attempt.trial() == 16 && attempt.to() == 4) {
      script.done(10, 3, Map.of("acc", 0.9)).end(11, 0, 3, false);
    } else {
      train(attempt, script);
    }
  }

  @Test
  void keepsItsMetricAndRankWithoutMoreTraining() {
    VirtualEnvironment world = run(EarlyEndTest::bestEndsAtUnit3);

    TrialState best = trial(world, 16);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(attemptsOf(world, 16)).containsExactly("16-1-1", "16-2-2", "16-3-3");
    assertThat(best.status()).isEqualTo(Status.COMPLETED);
    assertThat(best.endedAt()).isEqualTo(OptionalInt.of(3));
    assertThat(best.unit()).isEqualTo(8);
    assertThat(best.metric()).isEqualTo(OptionalDouble.of(0.9));
    assertThat(best.checkpoint()).isEqualTo(3);
    assertThat(attemptsOf(world, 15)).hasSize(4);
    assertThat(faults(world)).isEmpty();
    assertThat(world.notes)
        .filteredOn(JournalNote.Decision.class::isInstance)
        .extracting(note -> ((JournalNote.Decision) note).kind())
        .containsOnlyOnce(DecisionKind.EARLY_END);
  }

  @Test
  void instancesOfItsLaterGroupsAreNotHeld() {
    // Each trial of the last group uses one instance, and only trial 15 is trained there.
    VirtualEnvironment world = run(EarlyEndTest::bestEndsAtUnit3);

    long releasedBeforeLastGroup =
        world.commands.stream()
            .takeWhile(command -> !isStart(command, "15-4-4"))
            .filter(Command.ReleaseInstance.class::isInstance)
            .count();
    long requested =
        world.commands.stream().filter(Command.RequestInstance.class::isInstance).count();
    assertThat(requested - releasedBeforeLastGroup).isLessThanOrEqualTo(2);
    assertThat(world.state.ending().instancesLeft()).isZero();
    assertThat(
            world.commands.stream()
                .dropWhile(command -> !isStart(command, "15-4-4"))
                .filter(Command.RequestInstance.class::isInstance))
        .isEmpty();
  }

  private static boolean isStart(Command command, String attempt) {
    return command instanceof Command.StartAttempt start && start.attempt().equals(attempt);
  }

  @Test
  void runEndsOnceAllTrialsNeedNoMoreTraining() {
    VirtualEnvironment world =
        run(
            (attempt, script) ->
                script
                    .done(10, 1, Map.of("acc", attempt.trial() / 100.0))
                    .end(11, 0, attempt.trial() % 2, false));

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(world.commands.stream().filter(Command.StartAttempt.class::isInstance)).hasSize(16);
    assertThat(world.state.trials().values())
        .filteredOn(trial -> trial.status() == Status.COMPLETED)
        .extracting(TrialState::trial)
        .containsExactly(15, 16);
    assertThat(faults(world)).isEmpty();
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @Test
  void isPromotedOnlyIfItsMetricIsGoodEnough() {
    VirtualEnvironment world =
        run(
            (attempt, script) -> {
              if (attempt.trial() == 1) {
                script.done(10, 1, Map.of("acc", 0.01)).end(11, 0, 1, false);
              } else {
                train(attempt, script);
              }
            });

    assertThat(trial(world, 1).status()).isEqualTo(Status.STOPPED);
    assertThat(trial(world, 1).endedAt()).isEqualTo(OptionalInt.of(1));
  }

  @Test
  void decisionMayFollowTheReport() {
    VirtualEnvironment world =
        run(
            (attempt, script) -> {
              if (attempt.trial() == 16) {
                script.report(10, 1, 0.9).done(11, 1, Map.of()).end(12, 0, 1, false);
              } else {
                train(attempt, script);
              }
            });

    assertThat(attemptsOf(world, 16)).hasSize(1);
    assertThat(trial(world, 16).metric()).isEqualTo(OptionalDouble.of(0.9));
    assertThat(trial(world, 16).endedAt()).isEqualTo(OptionalInt.of(1));
  }

  @Test
  void errorAfterTheReportIsAFailure() {
    VirtualEnvironment world =
        run(
            (attempt, script) -> {
              if (attempt.attempt().equals("16-1-1")) {
                script.done(10, 1, Map.of("acc", 0.9)).end(11, 3, 1, false);
              } else {
                train(attempt, script);
              }
            });

    assertThat(trial(world, 16).failures()).isEqualTo(1);
    assertThat(trial(world, 16).endedAt()).isEmpty();
    assertThat(trial(world, 16).status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void missingMetricRanksLast() {
    VirtualEnvironment world =
        run(
            (attempt, script) -> {
              if (attempt.trial() == 16) {
                script.done(10, 1, Map.of("loss", 0.9)).end(11, 0, 1, false);
              } else {
                train(attempt, script);
              }
            });

    assertThat(trial(world, 16).status()).isEqualTo(Status.STOPPED);
    assertThat(faults(world)).containsExactly("the report for unit 1 lacks the metric acc");
  }

  @Test
  void lastUnitIsNotEarly() {
    VirtualEnvironment world =
        run(
            (attempt, script) -> {
              if (attempt.to() == 8) {
                script.done(10, 8, Map.of("acc", attempt.trial() / 100.0)).end(11, 0, 8, false);
              } else {
                train(attempt, script);
              }
            });

    assertThat(world.state.trials().values()).noneMatch(TrialState::endedEarly);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }
}
