package io.elastune.executor.local;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.TrialScripts;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/** Runs trials as real processes, from shell scripts that use the functions of {@code lib.sh}. */
final class LocalTrials {
  private static final LocalEngineTimeouts SHORT_TIMEOUTS =
      new LocalEngineTimeouts(Duration.ofMillis(2000), Duration.ofMillis(300));

  private LocalTrials() {}

  static Engine open(Path folder, Consumer<EngineEvent> consumer) throws IOException {
    TrialScripts.copyTo(folder);
    return new LocalEngine(folder, InstantSource.system(), consumer, SHORT_TIMEOUTS);
  }

  /** Opens an engine with a task before each of its tasks for an attempt, which may throw. */
  static Engine openWithFaults(Path folder, Runnable beforeTask, Consumer<EngineEvent> consumer) {
    return new LocalEngine(
        folder,
        InstantSource.system(),
        consumer,
        SHORT_TIMEOUTS,
        OomKillCounter.ofThisProcess(),
        beforeTask::run);
  }

  static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean isRunning(String run, String attempt) {
    return new OwnedProcesses(WorkerEnvironment.ATTEMPT, run + "/" + attempt, Set.of()).isAlive();
  }
}
