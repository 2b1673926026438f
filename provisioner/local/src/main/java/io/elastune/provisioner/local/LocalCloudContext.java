package io.elastune.provisioner.local;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.process.EventLoop;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The shared objects of all instances of a local cloud. Used in the event loop only.
 *
 * @param home Elastune's home folder
 */
record LocalCloudContext(
    Path home,
    InstantSource time,
    Consumer<CloudEvent> events,
    EventLoop loop,
    DeviceLedger devices,
    SetupRunner setups,
    TerminatedInstanceStore graveyard) {
  Instant now() {
    return time.instant();
  }

  void emit(CloudEvent event) {
    events.accept(event);
  }
}
