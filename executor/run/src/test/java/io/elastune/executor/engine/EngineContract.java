package io.elastune.executor.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.InjectedFaults;
import io.elastune.core.properties.InjectedFaults.Kind;
import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The contract suite of engines. The test of every implementation inherits it. */
public abstract class EngineContract extends EngineTestBase {
  /** The behavior of a trial. */
  protected enum Trial {
    /** Reports every unit, saves unit {@code to}, exits with 0. */
    SUCCEEDS,
    /** Exits with 3 before its first report. */
    CRASHES,
    /** Never ends; saves unit 1 and exits with 75 on a stop request. */
    SAVES_WHEN_STOPPED,
    /** Never ends, and ignores stop requests. */
    IGNORES_STOP
  }

  protected EngineContract() {}

  protected EngineContract(String run) {
    super(run);
  }

  /** Returns the command of a worker with this behavior. */
  protected abstract String command(Trial trial);

  @Test
  void reportsEveryUnitThenEndsWithCheckpoint() {
    engine.start(spec(ATTEMPT, 0, 3, command(Trial.SUCCEEDS), 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(events.reports(ATTEMPT)).extracting(Reported::unit).containsExactly(1, 2, 3);
    assertThat(events.faults(ATTEMPT)).isEmpty();
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.checkpoint()).hasValue(3);
    assertThat(events.of(ATTEMPT).get(3)).isEqualTo(ended);
    assertThat(ended.startedAt().orElseThrow())
        .isBeforeOrEqualTo(events.reports(ATTEMPT).get(0).at());
  }

  @Test
  void resumesFromACheckpoint() {
    engine.start(spec("7-1-1", 0, 2, command(Trial.SUCCEEDS), 1));
    awaitEnd("7-1-1");
    engine.start(spec("7-2-1", 2, 4, command(Trial.SUCCEEDS), 1));

    assertThat(awaitEnd("7-2-1").checkpoint()).hasValue(4);
    assertThat(events.reports("7-2-1")).extracting(Reported::unit).containsExactly(3, 4);
  }

  @Test
  void startsFromTheCheckpointOfAnotherTrial() {
    engine.start(spec("7-1-1", 0, 2, command(Trial.SUCCEEDS), 1));
    awaitEnd("7-1-1");
    engine.start(continuing(7, spec("8-2-1", 2, 4, command(Trial.SUCCEEDS), 1)));
    Ended copied = awaitEnd("8-2-1");
    engine.start(continuing(7, spec("9-2-1", 3, 4, command(Trial.SUCCEEDS), 1)));
    Ended missing = awaitEnd("9-2-1");

    assertThat(copied.exitCode()).as("%s", events).isZero();
    assertThat(copied.checkpoint()).hasValue(4);
    assertThat(events.reports("8-2-1")).extracting(Reported::unit).containsExactly(3, 4);
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.checkpoint()).isEmpty();
  }

  @Test
  void keepsTheCheckpointThatOtherTrialsStartFrom() {
    engine.start(spec("7-1-1", 0, 2, command(Trial.SUCCEEDS), 1));
    awaitEnd("7-1-1");
    for (int unit = 2; unit < 5; unit++) {
      String attempt = "7-2-" + unit;
      engine.start(holding(2, spec(attempt, unit, unit + 1, command(Trial.SUCCEEDS), 1)));
      awaitEnd(attempt);
    }
    engine.start(continuing(7, spec("8-2-1", 2, 4, command(Trial.SUCCEEDS), 1)));

    assertThat(awaitEnd("8-2-1").checkpoint()).as("%s", events).hasValue(4);
  }

  @Test
  void startIsIdempotent() {
    AttemptSpec spec = spec(ATTEMPT, 0, 1, command(Trial.SUCCEEDS), 1);
    engine.start(spec);
    engine.start(spec);
    awaitEnd(ATTEMPT);
    engine.start(spec);
    advance(Duration.ofMillis(300));

    assertThat(events.reports(ATTEMPT)).hasSize(1);
    assertThat(events.ends(ATTEMPT)).hasSize(1);
  }

  @Test
  void crashEndsWithExitCodeAndMessage() {
    engine.start(spec(ATTEMPT, 0, 1, command(Trial.CRASHES), 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.checkpoint()).isEmpty();
    assertThat(ended.message()).startsWith("exit 3");
  }

  @Test
  void stopSavesACheckpoint() {
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.SAVES_WHEN_STOPPED), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT);
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(75);
    assertThat(ended.checkpoint()).hasValue(1);
  }

  @Test
  void trialThatIgnoresAStopIsKilled() {
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.IGNORES_STOP), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(137);
  }

  /** The usual time of these engines is two seconds. */
  @Test
  void stopGrantsItsOwnTimeUntilALaterStopShortensIt() {
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.IGNORES_STOP), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT, Duration.ofMinutes(30));
    advance(Duration.ofSeconds(4));
    assertThat(events.ends(ATTEMPT)).isEmpty();
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(137);
  }

  @Test
  void laterStopNeverExtendsTheTime() {
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.IGNORES_STOP), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT);
    engine.stop(ATTEMPT, Duration.ofMinutes(30));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(137);
  }

  @Test
  void killEndsWithoutCheckpoint() {
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.SAVES_WHEN_STOPPED), 2));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.kill(ATTEMPT);
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.checkpoint()).isEmpty();
  }

  @Test
  void stopOrKillBeforeTheStartStillEnds() {
    engine.start(spec("7-1-1", 0, 9, command(Trial.IGNORES_STOP), 1));
    engine.stop("7-1-1");
    engine.start(spec("8-1-1", 0, 9, command(Trial.IGNORES_STOP), 1));
    engine.kill("8-1-1");

    assertThat(awaitEnd("7-1-1").exitCode()).isNotZero();
    assertThat(awaitEnd("8-1-1").exitCode()).isNotZero();
  }

  @Test
  void stopAndKillIgnoreUnknownAndEndedAttempts() {
    engine.stop("unknown");
    engine.kill("unknown");
    engine.start(spec(ATTEMPT, 0, 1, command(Trial.SUCCEEDS), 1));
    awaitEnd(ATTEMPT);
    engine.stop(ATTEMPT);
    engine.kill(ATTEMPT);
    advance(Duration.ofMillis(200));

    assertThat(events.ends(ATTEMPT)).hasSize(1);
    assertThat(events.of("unknown")).isEmpty();
  }

  @Test
  void checkIsAnsweredWhileWorkersRun() {
    engine.check("unknown");
    engine.start(spec(ATTEMPT, 0, 9, command(Trial.SAVES_WHEN_STOPPED), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.check(ATTEMPT);
    waitUntil(() -> !events.answers(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT);
    awaitEnd(ATTEMPT);
    engine.check(ATTEMPT);
    advance(Duration.ofMillis(200));

    assertThat(events.answers(ATTEMPT)).hasSize(1);
    assertThat(events.answers(ATTEMPT).get(0).silenceS()).isNotNegative();
    assertThat(events.of("unknown")).isEmpty();
  }

  @Test
  void adoptDoesNotStartAnAttempt() {
    engine.adopt(spec(ATTEMPT, 0, 2, command(Trial.SUCCEEDS), 1), 0);
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.checkpoint()).isEmpty();
    assertThat(events.reports(ATTEMPT)).isEmpty();
  }

  @Test
  void adoptContinuesOrEndsARunningAttempt() throws Exception {
    AttemptSpec spec = spec(ATTEMPT, 0, 9, command(Trial.SAVES_WHEN_STOPPED), 1);
    engine.start(spec);
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.close();
    engine = open(events);
    engine.adopt(spec, 1);
    engine.stop(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).exitCode()).isIn(75, 137);
    advance(Duration.ofMillis(200));
    assertThat(events.ends(ATTEMPT)).hasSize(1);
  }

  @Test
  void lastCheckpointCountsOnlyWithItsReport() throws Exception {
    engine.start(spec("7-1-1", 0, 2, command(Trial.SUCCEEDS), 1));
    awaitEnd("7-1-1");
    engine.start(spec("8-1-1", 0, 2, command(Trial.SUCCEEDS), 1));
    awaitEnd("8-1-1");
    engine.close();
    RecordedEngineEvents later = new RecordedEngineEvents();
    engine = open(later);
    engine.adopt(spec("7-1-1", 0, 2, command(Trial.SUCCEEDS), 1), 2);
    engine.adopt(spec("8-1-1", 0, 2, command(Trial.SUCCEEDS), 1), 1);
    waitUntil(() -> !later.ends("7-1-1").isEmpty() && !later.ends("8-1-1").isEmpty());

    assertThat(later.ends("7-1-1").get(0).checkpoint()).hasValue(2);
    boolean reportedAgain = !later.reports("8-1-1").isEmpty();
    assertThat(later.ends("8-1-1").get(0).checkpoint())
        .isEqualTo(reportedAgain ? OptionalInt.of(2) : OptionalInt.empty());
  }

  @Test
  void severalTrialsRunInParallel() {
    List<String> attempts = List.of("1-1-1", "2-1-1", "3-1-1", "4-1-1");
    attempts.forEach(attempt -> engine.start(spec(attempt, 0, 2, command(Trial.SUCCEEDS), 1)));

    assertThat(attempts).allSatisfy(attempt -> assertThat(awaitEnd(attempt).exitCode()).isZero());
  }

  @Test
  void closeKillsAllTrials() {
    engine.start(spec("1-1-1", 0, 9, command(Trial.IGNORES_STOP), 1));
    engine.start(spec("2-1-1", 0, 9, command(Trial.IGNORES_STOP), 2));
    waitUntil(() -> !events.reports("1-1-1").isEmpty() && !events.reports("2-1-1").isEmpty());
    engine.close();

    assertThat(isRunning("1-1-1")).isFalse();
    assertThat(isRunning("2-1-1")).isFalse();
  }

  /**
   * Opens the engine with a task before each of its tasks for an attempt, which may throw; empty if
   * it has no asynchronous work.
   */
  protected Optional<Engine> openWithFaults(Runnable beforeTask, Consumer<EngineEvent> consumer)
      throws Exception {
    return Optional.empty();
  }

  /** An exception or error anywhere in the work of the engine is one end of its attempt. */
  @Test
  void everyAttemptEndsOnceWhateverFailsInTheEngine() throws Exception {
    InjectedFaults faults = new InjectedFaults();
    Optional<Engine> faulty = openWithFaults(faults, events);
    assumeTrue(faulty.isPresent(), "no asynchronous work");
    engine.close();
    engine = faulty.orElseThrow();
    engine.start(spec("1-1-1", 0, 1, command(Trial.SUCCEEDS), 1));
    assertThat(awaitEnd("1-1-1").exitCode()).isZero();
    int tasks = faults.tasks();
    List<Ended> failed = new ArrayList<>();
    for (int task = 1; task <= tasks; task++) {
      for (Kind kind : kinds(task)) {
        int trial = 2 * task + (kind == Kind.ERROR ? 1 : 0);
        String attempt = trial + "-1-1";
        faults.failAt(task, kind);
        engine.start(spec(attempt, 0, 1, command(Trial.SUCCEEDS), 1));
        Ended ended = awaitEnd(attempt);
        assertThat(events.ends(attempt)).as("task %d of %d: %s", task, tasks, kind).hasSize(1);
        if (ended.exitCode() != 0) {
          assertThat(ended.message()).contains("injected");
          failed.add(ended);
        }
      }
    }
    faults.failAt(0, Kind.EXCEPTION);
    engine.start(spec("9999-1-1", 0, 1, command(Trial.SUCCEEDS), 1));

    assertThat(awaitEnd("9999-1-1").exitCode()).isZero();
    assertThat(failed).hasSizeGreaterThan(tasks / 3);
    assertThat(faults.injected()).isGreaterThanOrEqualTo(failed.size());
  }

  private static List<Kind> kinds(int task) {
    return Tier.runs(1, 2) == 1 ? List.of(Kind.of(task)) : List.of(Kind.EXCEPTION, Kind.ERROR);
  }
}
