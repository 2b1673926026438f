package io.elastune.executor.ray;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.OmittedMetrics;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.provisioner.process.EventLoop;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What all attempts of a Ray engine share.
 *
 * @param loop the event loop; runs everything except reading and writing large files
 * @param files reads and writes checkpoints and code
 * @param storages opens the storage of the checkpoints of an attempt's trial
 * @param omittedMetrics the metrics left out of reports that were named already
 */
record RayContext(
    RayEngineSettings settings,
    InstantSource time,
    Consumer<EngineEvent> events,
    EventLoop loop,
    Executor files,
    RayLink link,
    LeaseAgents agents,
    LeaseCode code,
    Function<AttemptSpec, CheckpointStorage> storages,
    OmittedMetrics omittedMetrics) {
  Instant now() {
    return time.instant();
  }

  void post(EngineEvent event) {
    events.accept(event);
  }
}
