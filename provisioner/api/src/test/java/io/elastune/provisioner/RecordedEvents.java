package io.elastune.provisioner;

import io.elastune.provisioner.CloudEvent.Listed;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Records the events of a cloud; thread-safe. */
public final class RecordedEvents implements Consumer<CloudEvent> {
  private final List<CloudEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void accept(CloudEvent event) {
    events.add(event);
  }

  /** Returns the types of all events of the lease, in order of arrival. */
  public List<Class<?>> types(String lease) {
    return events.stream()
        .filter(event -> lease.equals(lease(event)))
        .<Class<?>>map(CloudEvent::getClass)
        .toList();
  }

  public long count(Class<? extends CloudEvent> kind, String lease) {
    return types(lease).stream().filter(kind::equals).count();
  }

  public boolean has(Class<? extends CloudEvent> kind, String lease) {
    return count(kind, lease) > 0;
  }

  /** Returns all events of a kind of the lease, in order of arrival. */
  public <E extends CloudEvent> List<E> all(Class<E> kind, String lease) {
    return events.stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .filter(event -> lease.equals(lease(event)))
        .toList();
  }

  public <E extends CloudEvent> E first(Class<E> kind, String lease) {
    return all(kind, lease).stream()
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " in " + events));
  }

  public List<Listed> lists() {
    return events.stream().filter(Listed.class::isInstance).map(Listed.class::cast).toList();
  }

  /** Returns the leases of all events. */
  public Set<String> leases() {
    return events.stream()
        .map(RecordedEvents::lease)
        .filter(lease -> !lease.isEmpty())
        .collect(Collectors.toSet());
  }

  @Override
  public String toString() {
    return events.toString();
  }

  private static String lease(CloudEvent event) {
    return event.match(new LeaseOfEvent());
  }
}
