package io.elastune.executor.local;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.KeepAliveContract;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Runs the contract suite of workers that wait against the local engine. */
class LocalKeepAliveIT extends KeepAliveContract {
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
}
