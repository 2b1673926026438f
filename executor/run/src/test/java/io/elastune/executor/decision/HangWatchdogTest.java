package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Plan;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.TrialDuration;
import io.elastune.executor.decision.model.TrialState.Status;
import io.elastune.executor.engine.EngineEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Detection of hung trials, and of trials that only seem to hang. */
class HangWatchdogTest {
  private static final Plan PLAN =
      WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}});

  /** The limits that follow from the profile: one unit takes 30 s, and a start 10 s. */
  private static RunDefinition definition() {
    RunDefinition some = WorkedExampleRun.definition(PLAN);
    Map<String, HangLimit> limits = new LinkedHashMap<>();
    some.workload()
        .groups()
        .forEach(
            group -> {
              TrialDuration predicted = TrialDuration.of(WorkedExampleRun.PROFILE, PLAN.of(group));
              limits.put(
                  group.name(),
                  new HangLimit(
                      Optional.of(predicted), OptionalDouble.empty(), OptionalDouble.empty()));
            });
    return WorkedExampleRun.withHangLimits(some, limits);
  }

  /** The first attempt of trial 3 never reports. */
  private static VirtualEnvironment hanging() {
    return new VirtualEnvironment(
            definition(),
            (attempt, script) -> {
              if (!attempt.attempt().equals("3-1-1")) {
                WorkedExampleRun.punctual(attempt, script);
              }
            })
        .ticking(3000);
  }

  /** Three times 10 s of start-up and 30 s of training. */
  private static final double SILENCE_S = 120;

  private static final double REPORT_S = 400;

  @Test
  void silentTrialIsStoppedAfterTheLimit() {
    VirtualEnvironment world = hanging();
    double stoppedS = stoppedAfterS(world);

    assertThat(stoppedS).isBetween(SILENCE_S, SILENCE_S + 2);
    assertThat(checks(world)).hasSize(1);
    assertThat(reasons(world)).contains(ReasonCode.TRIAL_SILENT);
    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(world.state.trials().get(3).failures()).isEqualTo(1);
  }

  @Test
  void busyLoopIsStoppedAfterTheLongerLimit() {
    VirtualEnvironment world = hanging().active();
    double stoppedS = stoppedAfterS(world);

    assertThat(stoppedS).isBetween(REPORT_S, REPORT_S + 2);
    assertThat(checks(world)).as("one per limit without a sign of life").hasSize(3);
    assertThat(reasons(world)).contains(ReasonCode.TRIAL_WITHOUT_REPORT);
  }

  @Test
  void activeTrialWithOneReportAtItsEndIsNeverStopped() {
    double slowS = 350; // almost nine times as long as profiled
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(),
                (attempt, script) ->
                    script.report(slowS, attempt.to(), 0.5).end(slowS, 0, attempt.to(), false))
            .active()
            .ticking(4000)
            .run();

    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(world.commands).noneMatch(command -> command instanceof Command.StopAttempt);
    assertThat(world.state.trials().values()).allMatch(trial -> trial.failures() == 0);
  }

  @Test
  void unansweredChecksAreRepeatedBeforeATrialIsStopped() {
    VirtualEnvironment world = hanging().unanswering();
    double stoppedS = stoppedAfterS(world);

    assertThat(checks(world)).hasSize(3);
    assertThat(stoppedS).isCloseTo(SILENCE_S + 3 * 30, within(5.0));
  }

  @Test
  void stubbornTrialIsKilledAfterTheTimeOfACheckpoint() {
    VirtualEnvironment world = hanging().deaf();
    List<Instant> kills = new ArrayList<>();
    world.watcher =
        command -> {
          if (command instanceof Command.KillAttempt) {
            kills.add(world.now);
          }
        };
    double stoppedS = stoppedAfterS(world);

    assertThat(kills).hasSize(1);
    assertThat(Seconds.between(world.attemptStart("3-1-1"), kills.get(0)))
        .isCloseTo(stoppedS + definition().graceS(), within(2.0));
    assertThat(world.state.trials().get(3).status()).isNotEqualTo(Status.RUNNING);
  }

  @Test
  void answerOfAnEndedAttemptIsIgnored() {
    VirtualEnvironment world = hanging();
    world.post(
        new RunEvent.FromEngine(new EngineEvent.Active("unknown", 1e9, VirtualEnvironment.START)));

    assertThat(world.run().state.ending().exitCode()).isZero();
  }

  /** The outage lasts longer than both limits. The trial reports only after it. */
  @Test
  void timeWithoutContactDoesNotCount() {
    double outageS = 1000;
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(),
                (attempt, script) -> {
                  if (attempt.attempt().equals("3-1-1")) {
                    script.unreachable(30, 20).reachable(30 + outageS);
                    script.report(outageS + 60, 1, 0.9).end(outageS + 60, 0, 1, false);
                  } else {
                    WorkedExampleRun.punctual(attempt, script);
                  }
                })
            .unanswering()
            .ticking(4000)
            .run();

    assertThat(world.commands).noneMatch(command -> command instanceof Command.StopAttempt);
    assertThat(world.state.trials().get(3).failures()).isZero();
    assertThat(reasons(world))
        .containsSubsequence(ReasonCode.TRIAL_UNREACHABLE, ReasonCode.ALL_TRIALS_REACHABLE);
  }

  @Test
  void trialThatHangsAfterAnOutageIsStopped() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(),
                (attempt, script) -> {
                  if (attempt.attempt().equals("3-1-1")) {
                    script.unreachable(30, 20).reachable(530);
                  } else {
                    WorkedExampleRun.punctual(attempt, script);
                  }
                })
            .ticking(3000);

    assertThat(stoppedAfterS(world)).isBetween(SILENCE_S + 510, SILENCE_S + 512);
    assertThat(reasons(world)).contains(ReasonCode.TRIAL_SILENT);
  }

  /** Runs to the end, and returns the seconds from the start of attempt 3-1-1 to its stop. */
  private static double stoppedAfterS(VirtualEnvironment world) {
    Consumer<Command> others = world.watcher;
    List<Instant> stops = new ArrayList<>();
    world.watcher =
        command -> {
          others.accept(command);
          if (command instanceof Command.StopAttempt) {
            stops.add(world.now);
          }
        };
    world.run();
    assertThat(stops).hasSize(1);
    return Seconds.between(world.attemptStart("3-1-1"), stops.get(0));
  }

  private static List<Command> checks(VirtualEnvironment world) {
    return world.commands.stream()
        .filter(command -> command instanceof Command.CheckAttempt)
        .toList();
  }

  private static List<Reason> reasons(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(note -> note instanceof JournalNote.Decision)
        .map(note -> ((JournalNote.Decision) note).reason().code())
        .toList();
  }
}
