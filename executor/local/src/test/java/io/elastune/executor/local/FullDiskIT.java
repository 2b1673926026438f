package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpecBuilder;
import io.elastune.executor.engine.EngineEvent.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that real workers on a full file system are not reported as failed trials. */
class FullDiskIT extends LocalEngineTestBase {
  private boolean mounted;

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      engine.close();
      run("umount", disk().toString());
    }
  }

  @Test
  void checkpointOnFullFileSystem() throws Exception {
    mount();
    String write = "mkdir $ELASTUNE_CHECKPOINT_DIR/1.tmp; cd $ELASTUNE_CHECKPOINT_DIR/1.tmp; ";
    engine.start(spec(ATTEMPT, 0, 1, write + "head -c 9000000 /dev/zero > model", 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.isDiskFull()).as(ended.message()).isTrue();
    assertThat(ended.exitCode()).isNotZero();
    assertThat(disk().resolve("7/1.tmp")).doesNotExist();
    engine.start(spec("7-1-2", 0, 1, lib("train"), 1));
    assertThat(awaitEnd("7-1-2").exitCode()).isZero();
  }

  @Test
  void silentFailureOnFullFileSystem() throws Exception {
    mount();
    String fill = "head -c 9000000 /dev/zero > $ELASTUNE_CHECKPOINT_DIR/x 2>/dev/null || exit 4";
    engine.start(spec(ATTEMPT, 0, 1, fill, 1));

    assertThat(awaitEnd(ATTEMPT).message())
        .isEqualTo("the disk is full (" + disk().resolve("7") + "): exit 4");
  }

  @Test
  void attemptThatCannotStartOnFullFileSystem() throws Exception {
    mount();
    run("sh", "-c", "head -c 9000000 /dev/zero > " + disk() + "/other");
    engine.start(spec(ATTEMPT, 0, 1, lib("train"), 1));

    assertThat(awaitEnd(ATTEMPT).isDiskFull()).isTrue();
  }

  /** Free bytes are left, but no file can be created. */
  @Test
  void failureWithoutInodes() throws Exception {
    mount("size=40m,nr_inodes=20");
    String fill = "for i in $(seq 30); do : > $ELASTUNE_CHECKPOINT_DIR/x$i || exit 4; done";
    engine.start(spec(ATTEMPT, 0, 1, fill, 1));

    assertThat(awaitEnd(ATTEMPT).isDiskFull()).isTrue();
  }

  /** The words are a hint to measure the disks, and decide nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "OSError: [Errno 28] No space left on device",
        "OSError: [Errno 122] Disk quota exceeded",
        "ResourceExhaustedError: disk quota exceeded [Op:SaveV2]",
        "hint: if you see \"No space left on device\", clean ~/.cache\nKeyError: label",
      })
  void outputThatNamesFullDiskIsMeasured(String output) {
    engine.start(spec(ATTEMPT, 0, 1, "printf '%s\\n' '" + output + "' >&2; exit 1", 1));

    Ended ended = awaitEnd(ATTEMPT);
    assertThat(ended.isDiskFull()).isFalse();
    assertThat(ended.message())
        .startsWith("exit 1 (no disk is full, as its output suggests: ")
        .contains(" GB free in ", "; last lines:\n" + output);
  }

  @Test
  void fullDiskOfTemporaryFiles() throws Exception {
    mount();
    run("sh", "-c", "head -c 9000000 /dev/zero > " + disk() + "/other");
    Path elsewhere = folder.resolve("elsewhere");
    AttemptSpec spec =
        AttemptSpecBuilder.builder(
                spec(ATTEMPT, 0, 1, "echo 'disk quota exceeded [Op:SaveV2]'; exit 1", 1))
            .checkpointDir(elsewhere.toString())
            .environment(Map.of("TMPDIR", disk().toString()))
            .build();
    engine.start(spec);

    assertThat(awaitEnd(ATTEMPT).message()).startsWith("the disk is full (" + disk() + "): exit 1");
  }

  @Test
  void otherFailureIsNotFullDisk() {
    engine.start(spec(ATTEMPT, 0, 1, "echo 'disk is fine' >&2; exit 1", 1));

    assertThat(awaitEnd(ATTEMPT).isDiskFull()).isFalse();
  }

  /** Mounts a small file system for the checkpoints, which requires root. */
  private void mount() throws Exception {
    mount("size=4m");
  }

  private void mount(String options) throws Exception {
    Files.createDirectories(disk());
    mounted = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk().toString()) == 0;
    assumeThat(mounted).as("a file system can be mounted (needs root)").isTrue();
  }

  private Path disk() {
    return folder.resolve("trials");
  }

  private static int run(String... command) throws Exception {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      return -1; // It is not installed.
    }
  }
}
