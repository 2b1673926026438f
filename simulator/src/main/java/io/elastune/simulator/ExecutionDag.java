package io.elastune.simulator;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DirectedAcyclicGraph;

/**
 * What must end before what starts, at the level of trial groups (model.md, "The DAG"): the order
 * in which the simulator goes through the groups comes from here. Which trial follows which on a
 * slot is decided inside each sample, by list scheduling.
 */
final class ExecutionDag {
  private final List<TrialGroup> groups;
  private final DirectedAcyclicGraph<TrialGroup, DefaultEdge> graph;

  /**
   * The graph of {@code workload}.
   *
   * @throws IllegalArgumentException if a group would have to end before itself
   */
  ExecutionDag(Workload workload) {
    groups = workload.groups();
    graph = new DirectedAcyclicGraph<>(DefaultEdge.class);
    groups.forEach(graph::addVertex);
    for (Chain chain : workload.chains()) {
      for (int i = 1; i < chain.groups().size(); i++) {
        graph.addEdge(chain.groups().get(i - 1), chain.groups().get(i));
      }
    }
  }

  /** The groups' indices in the workload, each after all that must end before it starts. */
  int[] order() {
    List<Integer> order = new ArrayList<>();
    graph.iterator().forEachRemaining(group -> order.add(groups.indexOf(group)));
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The indices of the groups that must end before the one at {@code index} starts. */
  int[] predecessors(int index) {
    return Graphs.predecessorListOf(graph, groups.get(index)).stream()
        .mapToInt(groups::indexOf)
        .toArray();
  }
}
