package io.elastune.executor.local;

import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.host.EventLoop;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What all attempts of a local engine share.
 *
 * @param home Elastune's own folder
 * @param loop where everything happens but reading and checking files
 * @param files where checkpoints are checked, which may take long
 */
record EngineRoom(
    Path home,
    InstantSource time,
    Consumer<EngineEvent> events,
    EventLoop loop,
    Executor files,
    EngineSettings settings) {
  Instant now() {
    return time.instant();
  }

  void tell(EngineEvent event) {
    events.accept(event);
  }
}
