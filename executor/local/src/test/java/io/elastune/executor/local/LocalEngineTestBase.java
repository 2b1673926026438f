package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineTestBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Base class of tests that run trials from shell scripts with the engine of this machine. */
abstract class LocalEngineTestBase extends EngineTestBase {
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

  List<String> log(int trial) throws IOException {
    return Files.readAllLines(folder.resolve("logs/" + trial + ".log"));
  }

  Path checkpoints(int trial) {
    return folder.resolve("trials/" + trial);
  }

  void trial(String script) {
    engine.start(spec(ATTEMPT, 0, 9, lib(script), 1));
  }
}
