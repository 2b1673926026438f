package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineTestBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that real workers on a full file system are not reported as failed trials. */
class FullDiskIT extends EngineTestBase {
  private boolean mounted;

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return LocalTrials.open(folder, consumer);
  }

  @Override
  protected void advance(Duration time) {
    LocalTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return LocalTrials.isRunning(run, attempt);
  }

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

  @Test
  void outputThatNamesFullDisk() {
    String python = "echo 'OSError: [Errno 28] No space left on device' >&2; exit 1";
    engine.start(spec(ATTEMPT, 0, 1, python, 1));

    assertThat(awaitEnd(ATTEMPT).isDiskFull()).isTrue();
  }

  @Test
  void otherFailureIsNotFullDisk() {
    engine.start(spec(ATTEMPT, 0, 1, "echo 'disk is fine' >&2; exit 1", 1));

    assertThat(awaitEnd(ATTEMPT).isDiskFull()).isFalse();
  }

  /** Mounts a small file system for the checkpoints, which requires root. */
  private void mount() throws Exception {
    Files.createDirectories(disk());
    mounted = run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk().toString()) == 0;
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
