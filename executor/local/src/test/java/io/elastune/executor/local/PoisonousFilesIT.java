package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.EngineEvent.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that every attempt ends, and the next one continues, whatever files a trial leaves. */
class PoisonousFilesIT extends LocalEngineTestBase {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir 2; printf '{\"unit\": 2, \"files\": [{\"name\": \"a\\\\u0000b\", \"size\": 1,"
            + " \"sha256\": \"x\"}]}' > 2/manifest.json",
        "mkdir 2; truncate -s 3G 2/manifest.json",
        "mkdir -p 9.tmp/x; chmod 0 9.tmp/x",
        "mkdir 2; printf '%0100000d' 0 | tr 0 '[' > 2/manifest.json",
        "mkdir 2; mkfifo 2/manifest.json",
        "mkdir 2 2/manifest.json",
        "ln -s 2 2",
        "files=${ELASTUNE_TRIAL_JSON%/*}; mkdir -p $files/x/y; rm $ELASTUNE_TRIAL_JSON; mkfifo"
            + " $ELASTUNE_TRIAL_JSON $files/exit-0 $files/exit-0.part; mkdir ${PWD}.attempt-x; ln -s \"$PWD\""
            + " ${PWD}.attempt-y",
        "chmod 000 .",
        "printf '{\"unit\": 2, \"files\": [{\"name\": \"a\", \"size\": 8796093022208,"
            + " \"sha256\": \"00\"}]}' > m; mkdir 2; mv m 2/manifest.json; truncate -s 8T 2/a",
        "rm ../../logs/7.log; mkfifo ../../logs/7.log",
        "cp -r 1 ../x; ln -s ../x 2",
        "mkdir 99999999999999999999 2.torn 2.tmp; touch 3 4.tmp; mkfifo 5 6.tmp"
      })
  void attemptEndsAndTheNextOneContinues(String leave) {
    String script = "train; cd \"$ELASTUNE_CHECKPOINT_DIR\"; " + leave + "; exit 3";
    engine.start(spec("7-1-1", 0, 1, lib(script), 1));
    Ended first = awaitEnd("7-1-1");
    engine.start(spec("7-1-2", 1, 3, lib("train"), 1));
    Ended second = awaitEnd("7-1-2");

    assertThat(first.exitCode()).as(first.toString()).isEqualTo(3);
    assertThat(first.checkpoint()).hasValue(1);
    assertThat(second.exitCode()).as("%s %s", second, events.faults("7-1-2")).isZero();
    assertThat(second.checkpoint()).hasValue(3);
  }

  /** What is behind a link belongs to others, and is no checkpoint of this trial. */
  @ParameterizedTest
  @ValueSource(strings = {"ln -s ../other \"$PWD\"", "mkfifo \"$PWD\""})
  void replacedFolderIsMovedAside(String replace) throws IOException {
    Path other = Files.createDirectories(checkpoints(7).resolveSibling("other").resolve("5"));
    String script =
        "train; cd \"$ELASTUNE_CHECKPOINT_DIR\"; mv \"$PWD\" ../moved; " + replace + "; exit 3";
    engine.start(spec("7-1-1", 0, 1, lib(script), 1));
    Ended first = awaitEnd("7-1-1");
    engine.start(spec("7-1-2", 0, 1, lib("train"), 1));
    Ended second = awaitEnd("7-1-2");

    assertThat(first.exitCode()).as(first.toString()).isEqualTo(3);
    assertThat(events.faults("7-1-1")).anyMatch(fault -> fault.contains("was replaced"));
    assertThat(second.checkpoint()).as(second.toString()).hasValue(1);
    assertThat(other).isDirectory();
  }

  /** Zeros are the marks of the engine in the channel. */
  @Test
  void floodedChannelEnds() {
    String flood = "head -c 3000000 /dev/zero > \"$ELASTUNE_REPORTS\" & ";
    String reports =
        "for i in $(seq 300); do echo 'ELASTUNE {\"unit\": 1, \"metrics\": {}}'; done; ";
    engine.start(spec("7-1-1", 0, 1, lib(flood + reports + "wait; train"), 1));

    assertThat(awaitEnd("7-1-1").exitCode()).isZero();
  }
}
