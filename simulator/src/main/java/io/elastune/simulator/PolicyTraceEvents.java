package io.elastune.simulator;

import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TimelineRecipient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists what happens in the first sample of a cluster that a policy divides among trials. */
final class PolicyTraceEvents implements TimelineRecipient {
  private final Described described;
  private final List<TraceEvent> events = new ArrayList<>();

  /** By running task: the units of it that were trained before its attempt. */
  private final Map<Task, Integer> before = new HashMap<>();

  /** Describes what an attempt trains. */
  interface Described {
    /**
     * Returns the description of the training of some units of a task.
     *
     * @param from the units of the task before
     * @param to those after
     */
    TraceEvent.Task of(Task task, int from, int to);
  }

  private PolicyTraceEvents(Described described) {
    this.described = described;
  }

  /** Plays the first sample of Fluid or Hermes. */
  static List<TraceEvent> of(CompiledPolicyPlan plan) {
    PlayedGroups played = new PlayedGroups(plan, SamplingLimit.NONE.counter());
    return events(played, plan.groups.size(), played::described);
  }

  /** Plays the first sample of a search made of rungs under Fluid. */
  static List<TraceEvent> of(PlayedRungs.Compiled plan) {
    PlayedRungs played = new PlayedRungs(plan, SamplingLimit.NONE.counter());
    return events(played, 2, PlayedRungs::described);
  }

  /** Plays the first sample of HyperSched. */
  static List<TraceEvent> of(CompiledHyperSchedPlan plan) {
    PlayedHyperSched played = new PlayedHyperSched(plan, SamplingLimit.NONE.counter());
    return events(played, 2, played::described);
  }

  /** Returns the events in order; at one time, ends come before starts. */
  private static List<TraceEvent> events(PlayedPolicy played, int groups, Described described) {
    PolicyTraceEvents recorded = new PolicyTraceEvents(described);
    PolicySampler.trace(played, groups, recorded);
    return GroupTraceEvents.sorted(recorded.events);
  }

  @Override
  public void ready(Instance instance, double nowS) {
    events.add(TraceEvent.of(nowS, TraceEvent.Kind.READY, instance.number()));
  }

  @Override
  public void started(Task task, double nowS) {
    before.put(task, task.done());
  }

  @Override
  public void left(Task task, double nowS) {
    Integer from = before.remove(task);
    if (from != null) {
      TraceEvent.Task trained = described.of(task, from, task.done());
      events.add(TraceEvent.of(task.startS(), TraceEvent.Kind.START, task.instance(), trained));
      events.add(TraceEvent.of(nowS, TraceEvent.Kind.END, task.instance(), trained));
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
