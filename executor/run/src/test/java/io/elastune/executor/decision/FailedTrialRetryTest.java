package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.forecast.ResumeFeasibility;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FailedTrialRetry;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.TrialState.Status;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests resumes that retry failed trials, in the worked example: 16 trials to unit 1, 8 to 2, 4 to
 * 4, 2 to 8. Metrics rise with the trial's number.
 */
class FailedTrialRetryTest {
  private static final RunDefinition DEFINITION =
      WorkedExampleRun.definition(
          WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}}));

  private static final RunMeta META =
      RunMeta.builder()
          .kind(RunMeta.Kind.TUNE)
          .version("0.9")
          .jobFile("job.yaml")
          .job("")
          .plan("{}")
          .unit("epoch")
          .metric(DEFINITION.metric())
          .notional(true)
          .profilingUsd(0)
          .jobFolder("/jobs")
          .checkpoints("/checkpoints")
          .build();

  private boolean corrected;

  /** Attempts of {@code fails} fail until the program is corrected. */
  private VirtualEnvironment run(Predicate<Command.StartAttempt> fails) {
    return new VirtualEnvironment(
            DEFINITION,
            (attempt, script) -> {
              if (fails.test(attempt) && !corrected) {
                script.end(5, 1, attempt.from(), false);
              } else {
                WorkedExampleRun.punctual(attempt, script);
              }
            })
        .run();
  }

  private void retry(VirtualEnvironment world) {
    corrected = true;
    world.resume(new RunEvent.Resumed(0, true, world.now.plusSeconds(600)));
  }

  private static Predicate<Command.StartAttempt> group(String group, int... trials) {
    return attempt ->
        attempt.group().equals(group)
            && (trials.length == 0 || IntStream.of(trials).anyMatch(t -> t == attempt.trial()));
  }

  private static List<Integer> trials(VirtualEnvironment world, Status status) {
    return world.state.trials().values().stream()
        .filter(trial -> trial.status() == status)
        .map(TrialState::trial)
        .toList();
  }

  private static List<DecisionReason> retries(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(JournalNote.Decision.class::cast)
        .filter(decision -> decision.kind() == DecisionKind.RETRY)
        .map(JournalNote.Decision::reason)
        .toList();
  }

  private static long attempts(VirtualEnvironment world, int trial, String group) {
    return world.commands.stream()
        .filter(Command.StartAttempt.class::isInstance)
        .map(Command.StartAttempt.class::cast)
        .filter(start -> start.trial() == trial && start.group().equals(group))
        .count();
  }

  @Test
  void groupWithoutASuccessIsReopened() {
    VirtualEnvironment world = run(group("2"));
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(trials(world, Status.FAILED)).containsExactly(9, 10, 11, 12, 13, 14, 15, 16);
    assertThat(feasibility(world.state)).isEqualTo(ResumeFeasibility.NO_TRIALS);
    assertThat(feasibility(FailedTrialRetry.of(world.state).state()))
        .isEqualTo(ResumeFeasibility.CAN_RESUME);

    retry(world);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(trials(world, Status.FAILED)).isEmpty();
    assertThat(trials(world, Status.COMPLETED)).containsExactly(15, 16);
    assertThat(world.state.chains().get(0).ended()).hasSize(4);
    assertThat(attempts(world, 16, "1")).isEqualTo(1); // it continues from its checkpoint
    assertThat(attempts(world, 16, "2")).isEqualTo(4);
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @Test
  void firstGroupCanBeRetried() {
    VirtualEnvironment world = run(group("1"));
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);

    retry(world);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(world.state.trials()).hasSize(16);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(15, 16);
  }

  /** The other trials of the last group keep their results and are not trained again. */
  @Test
  void lastGroupIsReopenedForItsFailedTrials() {
    VirtualEnvironment world = run(group("4", 15));
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(16);

    retry(world);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(15, 16);
    assertThat(attempts(world, 16, "4")).isEqualTo(1);
    assertThat(attempts(world, 15, "4")).isEqualTo(4);
    assertThat(retries(world))
        .containsExactly(DecisionReason.of(ReasonCode.FAILED_TRIALS_RETRIED, "15"));
  }

  @Test
  void failuresOfEarlierGroupsStay() {
    VirtualEnvironment world = run(group("1", 2, 3).or(group("4", 15)));

    retry(world);

    assertThat(trials(world, Status.FAILED)).containsExactly(2, 3);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(15, 16);
    assertThat(retries(world))
        .containsExactly(
            DecisionReason.of(ReasonCode.FAILED_TRIALS_RETRIED, "15"),
            DecisionReason.of(ReasonCode.FAILED_TRIALS_KEPT, "2", "3"));
  }

  /** The retried trials are ranked with those that had reached the end of the group. */
  @Test
  void trialsOfTheGroupInProgressJoinItsRanking() {
    VirtualEnvironment world =
        new VirtualEnvironment(
            DEFINITION,
            (attempt, script) -> {
              if (attempt.trial() > 12 && !corrected) {
                script.end(5, 1, 0, false);
              } else {
                WorkedExampleRun.punctual(attempt, script);
              }
            });
    world.post(
        new RunEvent.StopAsked(
            RunOutcome.INTERRUPTED, false, "a test", VirtualEnvironment.START.plusSeconds(100)));
    world.run();
    assertThat(trials(world, Status.FAILED)).containsExactly(13, 14, 15, 16);
    assertThat(world.state.chains().get(0).ended()).isEmpty();

    retry(world);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(15, 16);
    assertThat(world.state.trials().values()).allMatch(trial -> trial.failures() == 0);
  }

  @Test
  void runOnlyWithEarlierFailuresIsDone() {
    VirtualEnvironment world = run(group("1", 16));
    RunState state = world.state;
    assertThat(trials(world, Status.COMPLETED)).containsExactly(14, 15);

    FailedTrialRetry retry = FailedTrialRetry.of(state);

    assertThat(retry.retried()).isEmpty();
    assertThat(retry.kept()).containsExactly(16);
    assertThat(retry.state()).isEqualTo(state);
    assertThat(feasibility(retry.state())).isEqualTo(ResumeFeasibility.DONE);
  }

  @Test
  void failsAgainWithoutACorrection() {
    VirtualEnvironment world = run(group("2"));
    world.resume(new RunEvent.Resumed(0, true, world.now.plusSeconds(600)));

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(trials(world, Status.FAILED)).hasSize(8);
    assertThat(attempts(world, 16, "2")).isEqualTo(6);

    retry(world);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  @Test
  void resumeWithoutRetriesLeavesFailedTrials() {
    VirtualEnvironment world = run(group("2"));
    corrected = true;

    world.resume(new RunEvent.Resumed(0, world.now.plusSeconds(600)));

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(trials(world, Status.FAILED)).hasSize(8);
    assertThat(retries(world)).isEmpty();
  }

  @Test
  void journalReplaysARetry(@TempDir Path home) {
    VirtualEnvironment world = run(group("2"));
    retry(world);
    RunFolder folder = RunFolder.of(home, "test-1");
    folder.create();
    RunCore core = new RunCore(DEFINITION);
    RunState state = RunState.confirmed(DEFINITION, VirtualEnvironment.START);
    try (Journal journal =
        Journal.create(
            folder,
            DEFINITION,
            VirtualEnvironment.START,
            META.rows(),
            (trial, trials) -> Map.of())) {
      for (RunEvent event : world.told) {
        StepResult step = core.step(state, event);
        journal.append(event, state, step);
        state = step.state();
        if (event instanceof RunEvent.Resumed) {
          checkReopened(folder);
          assertThat(ReplayedRun.read(folder).state()).isEqualTo(state);
        }
      }
    }

    assertThat(state).isEqualTo(world.state);
    assertThat(ReplayedRun.read(folder).state()).isEqualTo(state);
  }

  private static void checkReopened(RunFolder folder) {
    try (RunReader reader = RunReader.open(folder)) {
      assertThat(reader.groups())
          .extracting(group -> group.started().isPresent())
          .containsExactly(true, true, false, false);
      assertThat(reader.groups())
          .extracting(GroupRow::ended)
          .extracting(Optional::isPresent)
          .containsExactly(true, false, false, false);
    }
  }

  private static ResumeFeasibility feasibility(RunState state) {
    return ResumeFeasibility.of(DEFINITION, state, state.now());
  }
}
