package io.elastune.executor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.journal.RunFolder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerLockTest {
  @TempDir private Path home;

  /** A check whether a controller is alive shares the lock for a moment. */
  @Test
  void checkOfAnotherProcessDoesNotPreventAController() throws Exception {
    RunFolder folder = folder();
    try (FileChannel channel = FileChannel.open(folder.lock(), StandardOpenOption.READ)) {
      FileLock check = channel.lock(0, Long.MAX_VALUE, true);
      CompletableFuture<Optional<ControllerLock>> acquired =
          CompletableFuture.supplyAsync(() -> ControllerLock.tryAcquire(folder));
      Thread.sleep(30);
      assertThat(acquired).isNotDone();
      check.release();
      assertThat(acquired.join()).isPresent();
      acquired.join().orElseThrow().close();
    }
  }

  @Test
  void controllerPreventsAnotherOne() throws Exception {
    RunFolder folder = folder();
    try (ControllerLock first = ControllerLock.tryAcquire(folder).orElseThrow()) {
      assertThat(first).isNotNull();
      assertThat(ControllerLock.tryAcquire(folder)).isEmpty();
    }
    ControllerLock.tryAcquire(folder).orElseThrow().close();
  }

  private RunFolder folder() throws Exception {
    RunFolder folder = RunFolder.of(home, "tiny-20261120-aaaa");
    Files.createDirectories(folder.path());
    Files.createFile(folder.lock());
    return folder;
  }
}
