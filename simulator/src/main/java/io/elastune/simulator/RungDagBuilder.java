package io.elastune.simulator;

import io.elastune.core.billing.Billing;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.CompletedDag.DagNode;
import io.elastune.simulator.CompletedDag.DagNodeType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;

/**
 * Builds the completed DAG of one sample of a search made of rungs (docs/predictions.md, "The
 * graph"). A task starts at the moment of an event: an instance is ready, or another task ends.
 */
final class RungDagBuilder {
  /** The task of a trial in a rung. */
  private record Part(int trial, String rung) {}

  private final List<TraceEvent> events;
  private final IntToDoubleFunction runningS;
  private final IntToDoubleFunction readyS;
  private final CompletedDag dag = new CompletedDag();
  private final Map<Part, Double> endsS = new HashMap<>();
  private final Map<Integer, Double> releasedS = new HashMap<>();
  private final List<Integer> arrivals = new ArrayList<>();
  private final Map<Integer, Integer> lastTasks = new HashMap<>();
  private final Map<Integer, Integer> running = new HashMap<>();
  private String phase = Workload.OPEN;
  private double finishS;
  private int trigger;

  /**
   * @param events what happens, in order
   * @param runningS returns when an instance is, or would have been, running
   * @param readyS returns when an instance is, or would have been, ready
   */
  RungDagBuilder(
      List<TraceEvent> events, IntToDoubleFunction runningS, IntToDoubleFunction readyS) {
    this.events = events;
    this.runningS = runningS;
    this.readyS = readyS;
  }

  /** Returns the DAG. */
  CompletedDag dag() {
    for (TraceEvent event : events) {
      switch (event.kind()) {
        case END -> endsS.put(part(event), event.atS());
        case RELEASE -> releasedS.put(event.instance().getAsInt(), event.atS());
        case FINISHED -> finishS = event.atS();
        default -> {
          // Other events have no duration.
        }
      }
    }
    acquire();
    events.forEach(this::add);
    return dag;
  }

  private static Part part(TraceEvent event) {
    TraceEvent.Task task = event.task().orElseThrow();
    return new Part(task.trial(), task.group());
  }

  private int add(
      DagNodeType type, String group, int number, List<Integer> on, double startS, double seconds) {
    return dag.add(new DagNode(type, "", group, number, on, startS, seconds));
  }

  private void acquire() {
    int instances = releasedS.size();
    trigger = add(DagNodeType.ACQUIRE, phase, instances, List.of(), 0, 0);
    for (int i = 0; i < instances; i++) {
      double untilS = releasedS.getOrDefault(i, finishS);
      double queuedS = Math.min(runningS.applyAsDouble(i), untilS);
      int last = add(DagNodeType.QUEUE, phase, i + 1, List.of(), 0, queuedS);
      dag.addPrecedence(trigger, last);
      if (Billing.reachedRunning(runningS.applyAsDouble(i), untilS)) {
        double bootedS = Math.min(readyS.applyAsDouble(i), untilS) - queuedS;
        int boot = add(DagNodeType.BOOT, phase, i + 1, List.of(), queuedS, bootedS);
        dag.addPrecedence(last, boot);
        last = boot;
      }
      arrivals.add(last);
    }
  }

  private void add(TraceEvent event) {
    switch (event.kind()) {
      case READY -> trigger = arrivals.get(event.instance().getAsInt());
      case START -> start(event);
      case END -> trigger = Objects.requireNonNull(running.remove(part(event).trial()));
      case CLOSING -> {
        sync(event.atS());
        phase = Workload.CLOSING;
      }
      case RELEASE -> release(event);
      case FINISHED -> finish();
    }
  }

  private void start(TraceEvent event) {
    Part part = part(event);
    double endS = endsS.getOrDefault(part, finishS); // it is discarded when the search ends
    List<Integer> on = List.of(event.instance().getAsInt() + 1);
    double startS = event.atS();
    int node = add(DagNodeType.TRAIN, part.rung(), part.trial(), on, startS, endS - startS);
    dag.addPrecedence(trigger, node);
    Integer before = lastTasks.put(part.trial(), node);
    if (before != null) {
      dag.addPrecedence(before, node);
    }
    running.put(part.trial(), node);
  }

  private int sync(double atS) {
    int sync = add(DagNodeType.SYNC, phase, 0, List.of(), atS, 0);
    dag.addPrecedence(trigger, sync);
    return sync;
  }

  /** The search ends with its last task, or at once: then it discards what runs or boots. */
  private void finish() {
    phase = Workload.CLOSING;
    int sync = sync(finishS);
    running.values().forEach(node -> dag.addPrecedence(node, sync));
    for (int i = 0; i < arrivals.size(); i++) {
      if (releasedS.getOrDefault(i, finishS) >= finishS && readyS.applyAsDouble(i) > finishS) {
        dag.addPrecedence(arrivals.get(i), sync);
      }
    }
    trigger = sync;
  }

  private void release(TraceEvent event) {
    int instance = event.instance().getAsInt();
    int node = add(DagNodeType.RELEASE, phase, instance + 1, List.of(), event.atS(), 0);
    dag.addPrecedence(trigger, node);
    dag.addPrecedence(arrivals.get(instance), node);
  }
}
