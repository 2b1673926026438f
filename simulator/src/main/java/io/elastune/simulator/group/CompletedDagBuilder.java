package io.elastune.simulator.group;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.graph.CompletedDag.DagNode;
import io.elastune.simulator.graph.CompletedDag.DagNodeType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Builds the completed DAG of one sample of a plan: the last sample of a traced run. */
public final class CompletedDagBuilder {
  private final TracedRun run;
  private final List<TrialGroup> groups;
  private final List<Chain> chains;
  private final CompletedDag dag = new CompletedDag();
  // By group.
  private final int[] syncs;
  private final int[][] trains;
  // By chain and lease number: the last node before the release.
  private final int[][] arrivals;

  public CompletedDagBuilder(Problem problem, TracedRun run) {
    this.run = run;
    groups = problem.workload().groups();
    chains = problem.workload().chains();
    syncs = new int[groups.size()];
    trains = new int[groups.size()][];
    arrivals = new int[chains.size()][];
    for (int chain = 0; chain < arrivals.length; chain++) {
      arrivals[chain] = new int[run.requesters(chain).length];
    }
    for (GroupTrace group : run.inOrder()) {
      acquire(group);
      train(group);
      sync(group);
      release(group);
    }
  }

  /** Returns the completed DAG. */
  public CompletedDag dag() {
    return dag;
  }

  private int add(
      DagNodeType dagNodeType,
      GroupTrace group,
      int number,
      List<Integer> instances,
      double startS,
      double seconds) {
    String chain = chains.get(group.step.chain()).name();
    String name = groups.get(group.step.group()).name();
    return dag.add(new DagNode(dagNodeType, chain, name, number, instances, startS, seconds));
  }

  /** Returns the numbers of the instances that a group requested. */
  private int[] requested(GroupTrace group) {
    int[] requesters = run.requesters(group.step.chain());
    return IntStream.range(0, requesters.length)
        .filter(number -> requesters[number] == group.step.group())
        .toArray();
  }

  private void acquire(GroupTrace group) {
    int[] numbers = requested(group);
    if (numbers.length == 0) {
      return;
    }
    double nowS = group.groupStartS();
    int acquire = add(DagNodeType.ACQUIRE, group, numbers.length, List.of(), nowS, 0);
    afterGroupsBefore(group, acquire);
    Cluster cluster = run.cluster(group.step.chain());
    for (int number : numbers) {
      arrivals[group.step.chain()][number] =
          dag.addProvisioning(
              acquire,
              number + 1,
              cluster.runningS[number],
              cluster.readyS[number],
              cluster.releasedS[number]);
    }
  }

  private void afterGroupsBefore(GroupTrace group, int node) {
    for (int before : group.step.after()) {
      dag.addPrecedence(syncs[before], node);
    }
  }

  private void train(GroupTrace group) {
    int[] nodes = new int[group.step.trials()];
    trains[group.step.group()] = nodes;
    for (int trial = 0; trial < nodes.length; trial++) {
      double startS = group.startS[trial];
      nodes[trial] =
          add(
              DagNodeType.TRAIN,
              group,
              trial + 1,
              members(group, group.team(trial)).stream().map(number -> number + 1).toList(),
              startS,
              group.endS[trial] - startS);
      for (int before : waitedFor(group, trial)) {
        dag.addPrecedence(before, nodes[trial]);
      }
    }
  }

  private static List<Integer> members(GroupTrace group, int team) {
    return IntStream.range(0, group.teams.size())
        .mapToObj(i -> group.teams.member(team, i))
        .toList();
  }

  /** Returns the nodes that had to end before a trial could start. */
  private List<Integer> waitedFor(GroupTrace group, int trial) {
    if (group.before[trial] != GroupTrace.NONE) {
      return List.of(trains[group.step.group()][group.before[trial]]);
    }
    List<Integer> nodes = new ArrayList<>();
    for (int before : group.step.after()) {
      nodes.add(syncs[before]);
    }
    int chain = group.step.chain();
    int[] requesters = run.requesters(chain);
    for (int number : members(group, group.team(trial))) {
      boolean isNew = requesters[number] == group.step.group();
      if (isNew || run.cluster(chain).readyS[number] > group.groupStartS()) {
        nodes.add(arrivals[chain][number]);
      }
    }
    return nodes;
  }

  private void sync(GroupTrace group) {
    int index = group.step.group();
    syncs[index] = add(DagNodeType.SYNC, group, 0, List.of(), group.groupEndS(), 0);
    for (int trial = 0; trial < trains[index].length; trial++) {
      if (group.isLastOnSlot(trial)) {
        dag.addPrecedence(trains[index][trial], syncs[index]);
      }
    }
  }

  private void release(GroupTrace group) {
    Cluster cluster = run.cluster(group.step.chain());
    Map<Integer, List<Integer>> lastTrains = lastTrains(group);
    for (int number = 0; number < arrivals[group.step.chain()].length; number++) {
      if (cluster.releaser[number] == group.step.group()) {
        int node =
            add(DagNodeType.RELEASE, group, number + 1, List.of(), cluster.releasedS[number], 0);
        dag.addPrecedence(arrivals[group.step.chain()][number], node);
        int idle = group.step.spare() > 0 && !run.hold() ? cluster.releasedWith[number] : number;
        if (run.hold() || idle == Cluster.GROUP_END) {
          dag.addPrecedence(syncs[group.step.group()], node);
        } else {
          afterIdle(group, node, lastTrains.getOrDefault(idle, List.of()));
        }
      }
    }
  }

  /** Returns, by instance, the nodes of the last trials on its slots. */
  private Map<Integer, List<Integer>> lastTrains(GroupTrace group) {
    Map<Integer, List<Integer>> lastTrains = new HashMap<>();
    for (int trial = 0; trial < group.step.trials(); trial++) {
      if (group.isLastOnSlot(trial)) {
        for (int number : members(group, group.team(trial))) {
          lastTrains
              .computeIfAbsent(number, any -> new ArrayList<>())
              .add(trains[group.step.group()][trial]);
        }
      }
    }
    return lastTrains;
  }

  /**
   * Adds the precedences of a release: an instance is released once it can get no further trial.
   */
  private void afterIdle(GroupTrace group, int release, List<Integer> lastTrains) {
    afterGroupsBefore(group, release);
    waitedFor(group, group.lastStarted()).forEach(before -> dag.addPrecedence(before, release));
    lastTrains.forEach(train -> dag.addPrecedence(train, release));
  }
}
