package io.elastune.simulator.group;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DirectedAcyclicGraph;

/**
 * The precedence graph of the trial groups (docs/model.md, "The DAG"). It defines the order in
 * which the simulator processes the groups. The order of trials on a slot is decided inside each
 * sample by list scheduling. Thread-safe.
 */
public final class ExecutionDag {
  private final int[] order;
  private final int[][] predecessors;

  /**
   * Creates the graph of {@code workload}.
   *
   * @throws IllegalArgumentException if the precedences form a cycle
   */
  public ExecutionDag(Workload workload) {
    List<TrialGroup> groups = workload.groups();
    DirectedAcyclicGraph<TrialGroup, DefaultEdge> graph =
        new DirectedAcyclicGraph<>(DefaultEdge.class);
    groups.forEach(graph::addVertex);
    for (Chain chain : workload.chains()) {
      for (int i = 1; i < chain.groups().size(); i++) {
        graph.addEdge(chain.groups().get(i - 1), chain.groups().get(i));
      }
    }
    List<Integer> inOrder = new ArrayList<>();
    graph.iterator().forEachRemaining(group -> inOrder.add(groups.indexOf(group)));
    order = inOrder.stream().mapToInt(Integer::intValue).toArray();
    predecessors = new int[order.length][];
    Arrays.setAll(
        predecessors,
        index ->
            Graphs.predecessorListOf(graph, groups.get(index)).stream()
                .mapToInt(groups::indexOf)
                .toArray());
  }

  /** Returns the indices of the groups in topological order. */
  public int[] order() {
    return order.clone();
  }

  /** Returns the indices of the groups that must end before the group at {@code index} starts. */
  public int[] predecessors(int index) {
    return predecessors[index].clone();
  }
}
