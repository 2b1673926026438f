package io.elastune.provisioner.local;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.host.EventLoop;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The shared objects of all instances of a local cloud. Used in the event loop only.
 *
 * @param home Elastune's home folder
 */
record Machine(
    Path home,
    InstantSource time,
    Consumer<CloudEvent> events,
    EventLoop loop,
    Cores cores,
    Setups setups,
    Graveyard graveyard) {
  Instant now() {
    return time.instant();
  }

  void tell(CloudEvent event) {
    events.accept(event);
  }
}
