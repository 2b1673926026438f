package io.elastune.executor.engine;

import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Faulted;
import io.elastune.executor.engine.EngineEvent.Reported;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Records the events of an engine. Thread-safe. */
public final class RecordedEngineEvents implements Consumer<EngineEvent> {
  private final List<EngineEvent> events = new CopyOnWriteArrayList<>();

  @Override
  public void accept(EngineEvent event) {
    events.add(event);
  }

  public List<EngineEvent> of(String attempt) {
    return events.stream().filter(event -> event.attempt().equals(attempt)).toList();
  }

  public List<Reported> reports(String attempt) {
    return of(attempt, Reported.class);
  }

  public List<String> faults(String attempt) {
    return of(attempt, Faulted.class).stream().map(Faulted::message).toList();
  }

  public List<EngineEvent.Active> answers(String attempt) {
    return of(attempt, EngineEvent.Active.class);
  }

  public List<Ended> ends(String attempt) {
    return of(attempt, Ended.class);
  }

  @Override
  public String toString() {
    return events.toString();
  }

  private <E extends EngineEvent> List<E> of(String attempt, Class<E> type) {
    return of(attempt).stream().filter(type::isInstance).map(type::cast).toList();
  }
}
