package io.elastune.executor.local;

import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.OmittedMetrics;
import io.elastune.provisioner.process.EventLoop;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The clock, event loop and settings that all attempts of a local engine share.
 *
 * @param home the folder of Elastune's files
 * @param loop the event loop; runs everything except reading output and validating checkpoints
 * @param files runs the validation of checkpoints, which may take long
 * @param oomKills the kernel's counter of processes killed because memory was exhausted
 * @param omittedMetrics the metrics left out of reports that were named already
 */
record LocalEngineContext(
    Path home,
    InstantSource time,
    Consumer<EngineEvent> events,
    EventLoop loop,
    Executor files,
    LocalEngineTimeouts settings,
    OomKillCounter oomKills,
    OmittedMetrics omittedMetrics) {
  Instant now() {
    return time.instant();
  }

  void post(EngineEvent event) {
    events.accept(event);
  }
}
