package io.elastune.executor.local;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.PlainProgramContract;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Runs the contract of plain programs on processes of this machine. */
class LocalPlainProgramIT extends PlainProgramContract {
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
