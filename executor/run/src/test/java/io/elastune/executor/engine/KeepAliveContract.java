package io.elastune.executor.engine;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.AttemptSpec.KeepAlive;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract suite of engines whose workers can wait for the next attempt of their trial. The
 * attempts are shell scripts that write {@code begin} to the log when they start, and create a file
 * {@code end-TRIAL} when their input ends.
 */
public abstract class KeepAliveContract extends EngineTestBase {
  private static final String WAITS =
      """
      echo begin
      while [ "$RANK" != 0 ] || train; do
        [ "$RANK" != 0 ] || echo 'ELASTUNE {"waiting": '"$to"'}'
        if ! IFS= read -r next; then : >"$(dirname "$LIB")/end-$(field trial)"; exit 0; fi
        from=$(field from) to=$(field to)
      done
      """;

  protected KeepAliveContract() {}

  protected KeepAliveContract(String run) {
    super(run);
  }

  /** Returns whether a process of a trial with workers that can wait is running. */
  protected boolean isAlive(int trial) {
    return isRunning(Integer.toString(trial));
  }

  @Test
  void workersContinueWithTheNextAttempt() {
    engine.start(waiting("7-1-1", 0, 2, lib(WAITS), 1));
    Ended first = end("7-1-1");
    engine.start(waiting("7-2-1", 2, 4, lib(WAITS), 1));
    Ended second = end("7-2-1");
    engine.start(last("7-3-1", 4, 5, lib(WAITS), 1));
    Ended third = end("7-3-1");

    assertThat(List.of(first, second, third)).extracting(Ended::exitCode).containsOnly(0);
    assertThat(first.checkpoint()).hasValue(2);
    assertThat(second.checkpoint()).hasValue(4);
    assertThat(third.checkpoint()).hasValue(5);
    assertThat(events.reports("7-2-1")).extracting(Reported::unit).containsExactly(3, 4);
    assertThat(events.faults("7-2-1")).isEmpty();
    assertThat(begins(7)).isEqualTo(1);
    assertThat(isAlive(7)).as("after the last attempt").isFalse();
  }

  @Test
  void allWorkersOfTrialContinue() {
    engine.start(waiting("7-1-1", 0, 2, lib(WAITS), 2));
    end("7-1-1");
    engine.start(last("7-2-1", 2, 4, lib(WAITS), 2));

    assertThat(end("7-2-1").checkpoint()).hasValue(4);
    assertThat(begins(7)).isEqualTo(2);
  }

  @Test
  void workersOnOtherGpusEndTheWaitingOnes() {
    engine.start(waiting("7-1-1", 0, 2, lib(WAITS), 1));
    end("7-1-1");
    engine.start(last("7-2-1", 2, 4, lib(WAITS), 2));

    assertThat(end("7-2-1").checkpoint()).hasValue(4);
    assertThat(begins(7)).isEqualTo(3);
    assertThat(isAlive(7)).isFalse();
  }

  @Test
  void anotherTrialOnTheirGpusEndsWaitingWorkersBeforeItStarts() {
    engine.start(waiting("7-1-1", 0, 2, lib(WAITS), 1));
    end("7-1-1");
    String check = "[ -e \"$(dirname \"$LIB\")/end-7\" ] || exit 5\n";
    engine.start(spec("8-1-1", 0, 1, check + lib("train"), 1));

    assertThat(end("8-1-1").exitCode()).as("%s", events).isZero();
    assertThat(isAlive(7)).isFalse();
  }

  @Test
  void trialThatSharesTheirGpuLeavesWaitingWorkers() {
    engine.start(sharing(waiting("7-1-1", 0, 2, lib(WAITS), 1)));
    end("7-1-1");
    engine.start(sharing(waiting("8-1-1", 0, 1, lib(WAITS), 1)));
    end("8-1-1");
    engine.start(sharing(last("7-2-1", 2, 4, lib(WAITS), 1)));

    assertThat(end("7-2-1").checkpoint()).hasValue(4);
    assertThat(begins(7)).isEqualTo(1);
  }

  @Test
  void workersThatEndWhileTheyWaitAreReplaced() {
    String leaves = "echo begin; train; [ $from != 0 ] || { echo 'ELASTUNE {\"waiting\": 2}'; }";
    engine.start(waiting("7-1-1", 0, 2, lib(leaves), 1));
    end("7-1-1");
    waitUntil(() -> !isAlive(7));
    engine.start(last("7-2-1", 2, 4, lib(leaves), 1));

    assertThat(end("7-2-1").checkpoint()).hasValue(4);
    assertThat(begins(7)).isEqualTo(2);
  }

  @Test
  void workersThatCannotContinueAreNoFailure() {
    String refuses = "echo begin; train; echo 'ELASTUNE {\"waiting\": 2}'; read next && exit 3";
    engine.start(waiting("7-1-1", 0, 2, lib(refuses), 1));
    end("7-1-1");
    engine.start(last("7-2-1", 2, 4, lib(refuses), 1));

    assertThat(end("7-2-1").exitCode()).isEqualTo(75);
    assertThat(isAlive(7)).isFalse();
  }

  @Test
  void programThatIgnoresItEndsAsUsual() {
    engine.start(waiting("7-1-1", 0, 2, lib("train"), 1));
    Ended ended = end("7-1-1");

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.checkpoint()).hasValue(2);
    assertThat(isAlive(7)).isFalse();
  }

  /** Without its checkpoint, the attempt is not complete, and must not wait. */
  @Test
  void workersWithoutCheckpointDoNotWait() {
    String careless = "report 1; report 2; echo 'ELASTUNE {\"waiting\": 2}'; read next; exit 0";
    engine.start(waiting("7-1-1", 0, 2, lib(careless), 1));
    Ended ended = end("7-1-1");

    assertThat(ended.checkpoint()).isEmpty();
    assertThat(isAlive(7)).isFalse();
  }

  @Test
  void stopEndsWorkersThatHaveContinued() {
    String endless =
        "trap 'save 3; exit 75' TERM; [ $from != 0 ] || train;"
            + " echo 'ELASTUNE {\"waiting\": 2}'; read next; report 3; while :; do sleep 0.1; done";
    engine.start(waiting("7-1-1", 0, 2, lib(endless), 1));
    end("7-1-1");
    engine.start(last("7-2-1", 2, 4, lib(endless), 1));
    waitUntil(() -> !events.reports("7-2-1").isEmpty());
    engine.stop("7-2-1");

    assertThat(end("7-2-1").checkpoint()).hasValue(3);
    assertThat(isAlive(7)).isFalse();
  }

  @Test
  void closeEndsWaitingWorkers() throws Exception {
    engine.start(waiting("7-1-1", 0, 2, lib(WAITS), 1));
    end("7-1-1");
    engine.close();

    waitUntil(() -> !isAlive(7));
  }

  protected AttemptSpec waiting(String attempt, int from, int to, String command, int workers) {
    return with(KeepAlive.WAIT, spec(attempt, from, to, command, workers));
  }

  protected AttemptSpec last(String attempt, int from, int to, String command, int workers) {
    return with(KeepAlive.LAST, spec(attempt, from, to, command, workers));
  }

  private static AttemptSpec with(KeepAlive keepAlive, AttemptSpec spec) {
    return AttemptSpecBuilder.builder(spec).keepAlive(keepAlive).build();
  }

  private static AttemptSpec sharing(AttemptSpec spec) {
    return AttemptSpecBuilder.builder(spec).trialsPerGpu(2).build();
  }

  private Ended end(String attempt) {
    waitUntil(() -> !events.ends(attempt).isEmpty());
    return events.ends(attempt).get(0);
  }

  private long begins(int trial) {
    Path log = folder.resolve("logs/" + trial + ".log");
    try {
      return Files.readAllLines(log).stream().filter(line -> line.endsWith("begin")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
