package io.elastune.provisioner;

import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Opens a cloud for each test, records its events and provides common operations. */
public final class TestCloud implements BeforeEachCallback, AfterEachCallback {
  private final Function<Consumer<CloudEvent>, Cloud> how;
  private RecordedEvents events = new RecordedEvents();
  private Cloud cloud;

  /** Creates the extension; {@code how} opens a cloud that reports to the consumer. */
  public TestCloud(Function<Consumer<CloudEvent>, Cloud> how) {
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

  /** Reopens the cloud, as a new controller does. */
  public void reopen() {
    reopen(how);
  }

  /** Closes the cloud and opens another one. */
  public void reopen(Function<Consumer<CloudEvent>, Cloud> other) {
    cloud.close();
    cloud = other.apply(events);
  }

  /** Requests an instance and waits until it is ready. */
  public void ready(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Ready.class, request.lease()));
  }

  /** Requests an instance and waits until it is refused. */
  public Refused refused(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Refused.class, request.lease()));
    return events.first(Refused.class, request.lease());
  }

  public void until(BooleanSupplier condition) {
    TestWait.until(condition, events);
  }
}
