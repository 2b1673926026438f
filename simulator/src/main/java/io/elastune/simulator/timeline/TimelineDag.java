package io.elastune.simulator.timeline;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.graph.CompletedDag.DagNode;
import io.elastune.simulator.graph.CompletedDag.DagNodeType;
import io.elastune.simulator.timeline.TimelineTrace.Attempt;
import io.elastune.simulator.timeline.TimelineTrace.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds the completed DAG of one sample on a timeline (docs/predictions.md, "The graph"). An
 * attempt starts at the moment of an event: an instance is ready, or another attempt ends. A group
 * with a barrier starts after the group before.
 */
final class TimelineDag {
  private final TimelineTrace trace;
  private final List<Chain> chains;
  private final boolean hasRungs;
  private final CompletedDag dag = new CompletedDag();
  private final Map<Integer, Double> releasedS = new HashMap<>();
  private final Map<Attempt, Integer> nodes = new HashMap<>();

  /** By instance: the last node before it can start an attempt. */
  private final List<Integer> arrivals = new ArrayList<>();

  /** By group with a barrier: the last attempt of each trial that has ended. */
  private final Map<TrialGroup, Map<Integer, Attempt>> ended = new HashMap<>();

  private final Map<TrialGroup, Integer> syncs = new LinkedHashMap<>();
  private final List<Attempt> running = new ArrayList<>();
  private String phase;
  private int acquired;

  /** The node of the end of the search. */
  private int end = -1;

  TimelineDag(Problem problem, TimelineTrace trace) {
    this.trace = trace;
    chains = problem.workload().chains();
    hasRungs = problem.workload().rungs().isPresent();
    phase = hasRungs ? Workload.OPEN : chains.get(0).groups().get(0).name();
  }

  /** Returns the DAG. */
  CompletedDag dag() {
    for (Moment moment : trace.moments()) {
      if (moment.kind() == TraceEvent.Kind.RELEASE) {
        releasedS.put(moment.instance(), moment.atS());
      }
    }
    acquire();
    trace.moments().forEach(this::add);
    return dag;
  }

  private void add(Moment moment) {
    switch (moment.kind()) {
      case READY -> {
        // Its boot has a node.
      }
      case START -> start(Objects.requireNonNull(moment.attempt()));
      case END -> end(moment);
      case CLOSING -> {
        if (hasRungs) {
          dag.addPrecedence(cause(moment), sync("", phase, moment.atS()));
          phase = Workload.CLOSING;
        }
      }
      case FINISHED -> finish(moment);
      case RELEASE -> release(moment);
    }
  }

  private int add(
      DagNodeType type,
      String chain,
      String group,
      int number,
      List<Integer> on,
      double startS,
      double seconds) {
    return dag.add(new DagNode(type, chain, group, number, on, startS, seconds));
  }

  private int sync(String chain, String group, double atS) {
    return add(DagNodeType.SYNC, chain, group, 0, List.of(), atS, 0);
  }

  private void acquire() {
    int instances = trace.instances();
    acquired = add(DagNodeType.ACQUIRE, "", phase, instances, List.of(), 0, 0);
    for (int i = 0; i < instances; i++) {
      double untilS = releasedS.getOrDefault(i, trace.endS());
      arrivals.add(
          dag.addProvisioning(acquired, i + 1, trace.runningS(i), trace.readyS(i), untilS));
    }
  }

  private void start(Attempt attempt) {
    int node =
        add(
            DagNodeType.TRAIN,
            hasRungs ? "" : chain(attempt).name(),
            attempt.trained().group(),
            attempt.trained().trial(),
            List.of(attempt.instance + 1),
            attempt.startS,
            attempt.endS() - attempt.startS);
    nodes.put(attempt, node);
    running.add(attempt);
    Attempt cause = attempt.cause;
    dag.addPrecedence(cause == null ? arrival(attempt.arrival) : node(cause), node);
    Attempt before = attempt.before;
    if (before != null && before != cause) {
      dag.addPrecedence(node(before), node);
    }
    Integer barrier = hasRungs ? null : syncs.get(groupBefore(attempt));
    if (barrier != null) {
      dag.addPrecedence(barrier, node);
    }
  }

  private int arrival(int instance) {
    return instance < 0 ? acquired : arrivals.get(instance);
  }

  private int node(Attempt attempt) {
    return Objects.requireNonNull(nodes.get(attempt));
  }

  private Chain chain(Attempt attempt) {
    return chains.get(attempt.queue);
  }

  private TrialGroup group(Attempt attempt) {
    return chain(attempt).groups().stream()
        .filter(group -> group.name().equals(attempt.trained().group()))
        .findFirst()
        .orElseThrow();
  }

  private @Nullable TrialGroup groupBefore(Attempt attempt) {
    List<TrialGroup> groups = chain(attempt).groups();
    int index = groups.indexOf(group(attempt));
    return index == 0 ? null : groups.get(index - 1);
  }

  private void end(Moment moment) {
    Attempt attempt = Objects.requireNonNull(moment.attempt());
    if (moment.atS() < attempt.endS()) {
      return; // its last units are repeated at once
    }
    running.remove(attempt);
    if (!hasRungs && attempt.isComplete()) {
      TrialGroup group = group(attempt);
      Map<Integer, Attempt> own = ended.computeIfAbsent(group, any -> new HashMap<>());
      own.put(attempt.trained().trial(), attempt);
      if (own.size() == group.trials()) {
        int sync = sync(chain(attempt).name(), group.name(), moment.atS());
        own.values().forEach(one -> dag.addPrecedence(node(one), sync));
        syncs.put(group, sync);
        end = sync;
      }
    }
  }

  /** The search ends with its last task, or at once: then it discards what runs or boots. */
  private void finish(Moment moment) {
    if (hasRungs) {
      phase = Workload.CLOSING;
    } else if (running.isEmpty()) {
      return; // it ends with a group
    } else {
      phase = running.get(0).trained().group();
    }
    end = sync("", phase, trace.endS());
    dag.addPrecedence(cause(moment), end);
    for (Attempt attempt : running) {
      dag.addPrecedence(node(attempt), end);
    }
    for (int i = 0; i < arrivals.size(); i++) {
      if (releasedS.getOrDefault(i, trace.endS()) >= trace.endS()
          && trace.readyS(i) > trace.endS()) {
        dag.addPrecedence(arrivals.get(i), end);
      }
    }
  }

  private void release(Moment moment) {
    Attempt attempt = moment.attempt();
    String group = hasRungs || attempt == null ? phase : attempt.trained().group();
    int node =
        add(DagNodeType.RELEASE, "", group, moment.instance() + 1, List.of(), moment.atS(), 0);
    dag.addPrecedence(moment.atS() < trace.endS() || end < 0 ? cause(moment) : end, node);
    dag.addPrecedence(arrivals.get(moment.instance()), node);
  }

  /** Returns the node of the event at which something happens. */
  private int cause(Moment moment) {
    Attempt attempt = moment.attempt();
    if (attempt != null) {
      return node(attempt);
    }
    return moment.ready() < 0 ? acquired : arrivals.get(moment.ready());
  }
}
