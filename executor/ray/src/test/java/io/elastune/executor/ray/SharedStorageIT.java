package io.elastune.executor.ray;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.engine.EngineEvent.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class SharedStorageIT extends StorageContract {
  @Override
  boolean copies() {
    return false;
  }

  @Override
  String location(int trial) {
    return "file://" + store(trial);
  }

  private Path store(int trial) {
    return folder.resolve("shared/run/trial-" + trial);
  }

  @Override
  List<Integer> stored(int trial) throws IOException {
    try (Stream<Path> files = Files.list(store(trial))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\d+"))
          .map(Integer::parseInt)
          .sorted()
          .toList();
    }
  }

  @Test
  void nothingIsCopied() throws IOException {
    fail("get", 1000);
    fail("put", 1000);
    engine.start(spec(ATTEMPT, 0, 2, TRAIN, 1));

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(2);
    assertThat(units()).containsExactly(1, 2);
    try (Stream<Path> left = Files.list(folder.resolve("shared/run"))) {
      assertThat(left).containsExactly(store(7));
    }
  }

  /** The agent cannot read the marker, as if the node had another file system there. */
  @Test
  void otherFolderOnTheNodeIsNamed() {
    fail("read", 1000);
    engine.start(spec(ATTEMPT, 0, 2, TRAIN, 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(127);
    assertThat(ended.message())
        .contains("trial.checkpoint.store: " + folder.resolve("shared/run") + " is not the same")
        .contains("Mount the same file system");
  }
}
