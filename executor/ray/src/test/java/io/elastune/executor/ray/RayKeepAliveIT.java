package io.elastune.executor.ray;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.KeepAliveContract;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Runs the contract suite of workers that wait with real shims, and agents in the bridge. */
@EnabledOnOs(OS.LINUX)
class RayKeepAliveIT extends KeepAliveContract {
  private int epoch;

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return RayTrials.openLoopback(folder, ++epoch, run, consumer);
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive();
  }

  /** Ends what a failed test has left. */
  @AfterEach
  void endWorkers() {
    for (String trial : List.of("7", "8", "7-1-1", "8-1-1")) {
      RayTrials.processes(run, trial).signal(Signal.KILL);
    }
  }
}
