package io.elastune.provisioner;

import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A door that is open during a test, what it told, and the usual things to do with it. */
public final class OpenDoor implements BeforeEachCallback, AfterEachCallback {
  private final Function<Consumer<CloudEvent>, Cloud> how;
  private RecordedEvents events = new RecordedEvents();
  private Cloud cloud;

  /** {@code how}: opens a door that tells the consumer. */
  public OpenDoor(Function<Consumer<CloudEvent>, Cloud> how) {
    this.how = how;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    events = new RecordedEvents();
    cloud = how.apply(events);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    cloud.close();
  }

  public Cloud cloud() {
    return cloud;
  }

  public RecordedEvents events() {
    return events;
  }

  /** As if the controller had ended and another had begun. */
  public void reopen() {
    reopen(how);
  }

  /** Closes the door and opens another one. */
  public void reopen(Function<Consumer<CloudEvent>, Cloud> other) {
    cloud.close();
    cloud = other.apply(events);
  }

  /** Requests, and waits until it is ready. */
  public void ready(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Ready.class, request.lease()));
  }

  /** Requests, and waits until it is refused. */
  public Refused refused(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Refused.class, request.lease()));
    return events.first(Refused.class, request.lease());
  }

  public void until(BooleanSupplier condition) {
    Waiting.until(condition, events);
  }
}
