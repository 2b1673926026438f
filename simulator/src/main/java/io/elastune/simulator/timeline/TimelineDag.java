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
  private final Problem problem;
  private final TimelineTrace trace;

  /** The chains of the trace, by queue. */
  private final List<Chain> chains;

  /** The name of the chain whose instances these are; "" if chains share them. */
  private final String owner;

  private final boolean hasRungs;
  private final CompletedDag dag;
  private final Map<Integer, Double> releasedS = new HashMap<>();
  private final Map<Attempt, Integer> nodes = new HashMap<>();

  /** By instance: the last node before it can start an attempt. */
  private final List<Integer> arrivals = new ArrayList<>();

  /** By group with a barrier: the last attempt of each trial that has ended. */
  private final Map<TrialGroup, Map<Integer, Attempt>> ended = new HashMap<>();

  private final Map<TrialGroup, Integer> syncs = new LinkedHashMap<>();
  private final List<Attempt> running = new ArrayList<>();
  private String phase;

  /** The node of the first request for instances. */
  private int acquired;

  /** The instances whose requests have nodes. */
  private int requested;

  /** The node of the end of the search. */
  private int end = -1;

  private TimelineDag(
      Problem problem, TimelineTrace trace, List<Chain> chains, String owner, CompletedDag dag) {
    this.problem = problem;
    this.trace = trace;
    this.chains = chains;
    this.owner = owner;
    this.dag = dag;
    hasRungs = problem.workload().rungs().isPresent();
    phase = hasRungs ? Workload.OPEN : chains.get(0).groups().get(0).name();
  }

  /**
   * Returns the DAG.
   *
   * @param traces one for all chains, or one for each chain
   */
  static CompletedDag of(Problem problem, List<TimelineTrace> traces) {
    CompletedDag dag = new CompletedDag();
    List<Chain> chains = problem.workload().chains();
    if (traces.size() == 1) {
      new TimelineDag(problem, traces.get(0), chains, "", dag).build();
    } else {
      for (int i = 0; i < traces.size(); i++) {
        Chain own = chains.get(i);
        new TimelineDag(problem, traces.get(i), List.of(own), own.name(), dag).build();
      }
    }
    return dag;
  }

  private void build() {
    for (Moment moment : trace.moments()) {
      if (moment.kind() == TraceEvent.Kind.RELEASE) {
        releasedS.put(moment.instance(), moment.atS());
      }
    }
    for (int moment = 0; moment < trace.moments().size(); moment++) {
      acquire(moment);
      add(trace.moments().get(moment));
    }
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

  /** Adds the instances that are requested before a moment. */
  private void acquire(int moment) {
    int first = requested;
    while (requested < trace.instances() && trace.request(requested).moment() <= moment) {
      requested++;
    }
    if (requested == first) {
      return;
    }
    TimelineTrace.Request request = trace.request(first);
    Attempt after = request.after();
    String group = hasRungs ? phase : problem.workload().groups().get(request.requester()).name();
    int node =
        add(DagNodeType.ACQUIRE, owner, group, requested - first, List.of(), request.atS(), 0);
    if (after == null) {
      acquired = node;
    } else {
      dag.addPrecedence(end < 0 ? node(after) : end, node);
    }
    for (int i = first; i < requested; i++) {
      double untilS = releasedS.getOrDefault(i, trace.endS());
      arrivals.add(dag.addProvisioning(node, i + 1, trace.runningS(i), trace.readyS(i), untilS));
    }
  }

  private void start(Attempt attempt) {
    int node =
        add(
            DagNodeType.TRAIN,
            hasRungs ? "" : chain(attempt).name(),
            attempt.trained().group(),
            attempt.trained().trial(),
            attempt.instances.stream().map(number -> number + 1).toList(),
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
    end = sync(owner, phase, trace.endS());
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
        add(DagNodeType.RELEASE, owner, group, moment.instance() + 1, List.of(), moment.atS(), 0);
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
