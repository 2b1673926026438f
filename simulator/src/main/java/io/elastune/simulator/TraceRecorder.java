package io.elastune.simulator;

import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TimelineRecipient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Lists what happens on a timeline. */
final class TraceRecorder implements TimelineRecipient {
  private final Function<Task, TraceEvent.Task> described;
  private final boolean hasPhases;
  private final List<TraceEvent> events = new ArrayList<>();

  /**
   * @param described describes a task
   * @param hasPhases whether the end of a phase is the end of the phase open
   */
  TraceRecorder(Function<Task, TraceEvent.Task> described, boolean hasPhases) {
    this.described = described;
    this.hasPhases = hasPhases;
  }

  /** Returns the events in order. */
  List<TraceEvent> events() {
    return events;
  }

  @Override
  public void ready(Instance instance, double nowS) {
    events.add(TraceEvent.of(nowS, TraceEvent.Kind.READY, instance.number()));
  }

  @Override
  public void started(Task task, double nowS) {
    add(TraceEvent.Kind.START, task, nowS);
  }

  @Override
  public void ended(Task task, double nowS) {
    add(TraceEvent.Kind.END, task, nowS);
  }

  private void add(TraceEvent.Kind kind, Task task, double nowS) {
    events.add(TraceEvent.of(nowS, kind, task.instance(), described.apply(task)));
  }

  @Override
  public void phaseEnded(double nowS) {
    if (hasPhases) {
      events.add(TraceEvent.of(nowS, TraceEvent.Kind.CLOSING));
    }
  }

  @Override
  public void released(Instance instance, double nowS) {
    events.add(TraceEvent.of(nowS, TraceEvent.Kind.RELEASE, instance.number()));
  }

  @Override
  public void finished(double nowS) {
    events.add(TraceEvent.of(nowS, TraceEvent.Kind.FINISHED));
  }
}
