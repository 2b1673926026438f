package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import io.elastune.provisioner.process.LineSplitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests violations of the trial protocol on real processes. */
class LocalFaultyTrialsIT {
  @Nested
  class CapturedOutput extends LocalEngineTestBase {
    @Test
    void arbitraryBytesAreLog() throws IOException {
      trial("head -c 300000 /dev/urandom | tr -d '\\000'; echo; report 1; echo not ELASTUNE {}");

      assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
      assertThat(events.reports(ATTEMPT)).hasSize(1);
      assertThat(Files.size(folder.resolve("logs/7.log"))).isGreaterThan(200_000);
    }

    @Test
    void longLineIsTruncated() throws IOException {
      trial("head -c 3000000 /dev/zero | tr '\\000' x; echo; report 1");

      assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
      assertThat(events.reports(ATTEMPT)).hasSize(1);
      assertThat(log(7)).hasSize(1);
      assertThat(log(7).get(0).length())
          .isBetween(LineSplitter.MAX_BYTES, LineSplitter.MAX_BYTES + 20);
    }

    @Test
    void unterminatedLineIsRead() {
      trial("printf 'ELASTUNE {\"unit\": 1, \"metrics\": {}}'");

      awaitEnd(ATTEMPT);
      assertThat(events.reports(ATTEMPT)).hasSize(1);
    }

    @Test
    void reportIsFoundBehindOtherOutput() throws IOException {
      trial(
          "printf ' 67%%|##  | 2/3'; report 1; head -c 200000 /dev/zero | tr '\\000' .; report 2");

      awaitEnd(ATTEMPT);
      assertThat(events.reports(ATTEMPT)).extracting(Reported::unit).containsExactly(1, 2);
      assertThat(events.faults(ATTEMPT)).isEmpty();
      assertThat(log(7)).hasSize(2).first().isEqualTo(" 67%|##  | 2/3");
    }

    @Test
    void usedReportChannelReplacesStandardOutput() throws IOException {
      Path go = folder.resolve("go");
      trial(
          "report 1 >>\"$ELASTUNE_REPORTS\"; while [ ! -e '%s' ]; do sleep 0.05; done; report 2;"
                  .formatted(go)
              + " report 3 >\"$ELASTUNE_REPORTS\"");
      waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
      Files.createFile(go);

      awaitEnd(ATTEMPT);
      assertThat(events.reports(ATTEMPT)).extracting(Reported::unit).containsExactly(1, 3);
      assertThat(log(7)).singleElement().asString().contains("\"unit\": 2");
    }

    @Test
    void onlyRankZeroHasReportChannel() throws IOException {
      engine.start(spec(ATTEMPT, 0, 1, lib("echo channel=${ELASTUNE_REPORTS:+yes}"), 2));

      awaitEnd(ATTEMPT);
      assertThat(log(7)).containsExactlyInAnyOrder("[0] channel=yes", "[1] channel=");
    }

    @Test
    void furtherUnreadableReportsAreOnlyCounted() throws IOException {
      trial("for i in 1 2 3 4 5 6 7 8; do echo \"ELASTUNE $i {broken\"; done; report 1");

      assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
      assertThat(events.reports(ATTEMPT)).hasSize(1);
      assertThat(events.faults(ATTEMPT)).hasSize(6);
      assertThat(events.faults(ATTEMPT).get(0)).contains("cannot be read").contains("1 {broken");
      assertThat(events.faults(ATTEMPT).get(5)).startsWith("3 more");
      assertThat(log(7)).hasSize(8);
    }

    @Test
    void nanAndInfinityAreValidMetrics() {
      trial(
          "report 1 NaN; report 2 Infinity; report 3 -Infinity; report 4 null; report 5 '\"nan\"'");

      awaitEnd(ATTEMPT);
      assertThat(events.reports(ATTEMPT))
          .extracting(report -> report.metrics().get("acc"))
          .containsExactly(
              Double.NaN,
              Double.POSITIVE_INFINITY,
              Double.NEGATIVE_INFINITY,
              Double.NaN,
              Double.NaN);
    }

    @Test
    void reportsArePassedOnUnchecked() {
      trial("report 2; report 1; report 99; report -4");

      awaitEnd(ATTEMPT);
      assertThat(events.reports(ATTEMPT)).extracting(Reported::unit).containsExactly(2, 1, 99, -4);
    }

    @Test
    void onlyRankZeroStdoutHasReports() throws IOException {
      engine.start(
          spec(ATTEMPT, 0, 1, lib("if [ $RANK = 0 ]; then report 1 >&2; else report 2; fi"), 2));

      awaitEnd(ATTEMPT);
      assertThat(events.reports(ATTEMPT)).isEmpty();
      assertThat(log(7))
          .hasSize(2)
          .anyMatch(line -> line.startsWith("[0] ELASTUNE"))
          .anyMatch(line -> line.startsWith("[1] ELASTUNE"));
    }

    @Test
    void manyReportsArriveInOrder() {
      trial("i=0; while [ $i -lt 3000 ]; do i=$((i+1)); report $i; done");

      awaitEnd(ATTEMPT);
      List<Integer> units = events.reports(ATTEMPT).stream().map(Reported::unit).toList();
      assertThat(units).hasSize(3000).isSorted();
    }
  }

  @Nested
  class Endings extends LocalEngineTestBase {
    @Test
    void crashMessageHasTheLastLogLines() {
      trial("exec >&2; for i in $(seq 1 15); do echo line $i; done; echo oops; exit 3");
      Ended ended = awaitEnd(ATTEMPT);

      assertThat(ended.exitCode()).isEqualTo(3);
      assertThat(ended.message()).contains("exit 3").contains("oops").doesNotContain("line 5\n");
    }

    @Test
    void signalExitCodeIs128PlusNumber() {
      trial("kill -SEGV $$");

      assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(128 + 11);
    }

    @Test
    void workerFailureEndsTheOthers() {
      engine.start(
          spec(
              ATTEMPT,
              0,
              1,
              lib("[ $RANK = 1 ] && exit 5; trap '' TERM; while true; do sleep 0.1; done"),
              3));

      assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(5);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void childOutsideItsGroupIsKilled() {
      trial("setsid sleep 1000 & (setsid nohup sleep 1000 >/dev/null 2>&1 &); report 1");

      assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    }

    @Test
    void remainingChildIsKilled() {
      trial("trap '' TERM; sleep 1000 & report 1");

      assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    }

    @Test
    void childKeepsItsGraceWhenTheShellExits() {
      trial(
          "sh -c '. \"$LIB\"; trap \"sleep 0.3; save 1; exit 75\" TERM; report 1;"
              + " while true; do sleep 0.1; done'; echo never reached");
      waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
      engine.stop(ATTEMPT);
      Ended ended = awaitEnd(ATTEMPT);

      assertThat(ended.exitCode()).isEqualTo(143);
      assertThat(ended.checkpoint()).hasValue(1);
    }
  }

  @Nested
  class Checkpoints extends LocalEngineTestBase {
    @Test
    void tornCheckpointIsReportedAndSkipped() {
      trial("save 1; save 2; echo damaged >> 2/model; report 2");
      Ended ended = awaitEnd(ATTEMPT);

      assertThat(ended.checkpoint()).hasValue(1);
      assertThat(ended.torn()).isTrue();
      assertThat(events.faults(ATTEMPT))
          .singleElement()
          .satisfies(fault -> assertThat(fault).contains("checkpoint 2 is torn").contains("model"));
      assertThat(checkpoints(7).resolve("2")).doesNotExist();
      assertThat(checkpoints(7).resolve("2.torn")).exists();
    }

    @Test
    void temporaryCheckpointIsDeleted() {
      trial("mkdir \"$ELASTUNE_CHECKPOINT_DIR/1.tmp\"; exit 1");

      assertThat(awaitEnd(ATTEMPT).checkpoint()).isEmpty();
      assertThat(events.faults(ATTEMPT)).isEmpty();
      assertThat(checkpoints(7)).isEmptyDirectory();
    }

    @Test
    void lastCheckpointNeedsItsReport() {
      engine.start(spec("7-1-1", 0, 3, lib("save 2; report 2; save 3; exit 1"), 1));

      assertThat(awaitEnd("7-1-1").checkpoint()).hasValue(2);
      assertThat(checkpoints(7).resolve("3")).exists();
      assertThat(events.faults("7-1-1")).isEmpty();
    }

    @Test
    void checkpointIsKeptForTheAttemptThatReportsIt() {
      engine.start(spec("7-1-1", 0, 1, lib("save 1; echo no report here"), 1));
      Ended silent = awaitEnd("7-1-1");
      assertThat(silent.checkpoint()).isEmpty();
      assertThat(silent.message())
          .contains("found no report on its standard output")
          .contains("checkpoint 1 is complete, and is kept")
          .endsWith("; last lines:\nno report here");

      engine.start(spec("7-1-2", 0, 1, lib("report 1"), 1));
      assertThat(awaitEnd("7-1-2").checkpoint()).hasValue(1);
    }

    @Test
    void startCheckpointIsKept() {
      engine.start(spec("7-1-1", 0, 2, lib("train"), 1));
      awaitEnd("7-1-1");
      engine.start(spec("7-2-1", 2, 5, lib("save 3; save 4; train"), 1));
      assertThat(awaitEnd("7-2-1").checkpoint()).hasValue(5);
      assertThat(checkpoints(7).toFile().list()).containsExactlyInAnyOrder("2", "5");

      engine.start(spec("7-3-1", 5, 6, lib("train"), 1));
      assertThat(awaitEnd("7-3-1").checkpoint()).hasValue(6);
      assertThat(checkpoints(7).toFile().list()).containsExactlyInAnyOrder("5", "6");
    }

    @Test
    void checkpointsBeyondTheLimitAreIgnored() {
      engine.start(spec(ATTEMPT, 0, 2, lib("train; save 3; save 4; report 4"), 1));

      assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(2);
      assertThat(checkpoints(7).toFile().list()).containsExactlyInAnyOrder("2", "3");
    }

    @Test
    void missingStartCheckpointFailsTheAttempt() {
      engine.start(spec(ATTEMPT, 3, 4, lib("train"), 1));
      Ended ended = awaitEnd(ATTEMPT);

      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.message()).contains("checkpoint 3");
      assertThat(events.reports(ATTEMPT)).isEmpty();
    }
  }
}
