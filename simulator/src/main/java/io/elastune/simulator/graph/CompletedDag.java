package io.elastune.simulator.graph;

import io.elastune.core.billing.Billing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DirectedAcyclicGraph;

/**
 * The execution DAG of a plan, completed with the scheduling decisions of one sample
 * (docs/model.md, "The DAG"): Acquire → (Queue → Boot) per new instance → Train per trial → Sync
 * per group → Release per instance. The length of its longest path is the completion time.
 */
public final class CompletedDag {
  /** The type of a node. */
  public enum DagNodeType {
    /** A group requests new instances. */
    ACQUIRE,
    /** An instance waits from request to running, or to an earlier release. */
    QUEUE,
    /** An instance boots from running to ready, or to an earlier release. */
    BOOT,
    /** A trial is trained. */
    TRAIN,
    /** The barrier: all trials of a group have ended. */
    SYNC,
    /** An instance is released. */
    RELEASE
  }

  /**
   * A node of the DAG.
   *
   * @param chain name of its chain; "" for the only chain
   * @param group the trial group that requests, trains, ends or releases
   * @param number number from 1 of a trial in its group or of an instance in its chain; for an
   *     Acquire, the number of instances; otherwise 0
   * @param instances numbers of the instances on which a trial runs; otherwise empty
   * @param startS start, in seconds from the start of the plan
   * @param seconds duration in seconds
   */
  public record DagNode(
      DagNodeType kind,
      String chain,
      String group,
      int number,
      List<Integer> instances,
      double startS,
      double seconds) {
    public DagNode {
      instances = List.copyOf(instances);
    }

    /** Returns the end, in seconds from the start of the plan. */
    public double endS() {
      return startS + seconds;
    }
  }

  /** A precedence: the node with index {@code to} starts after node {@code from} has ended. */
  public record DagEdge(int from, int to) {}

  private final List<DagNode> dagNodes = new ArrayList<>();
  private final DirectedAcyclicGraph<Integer, DefaultEdge> graph =
      new DirectedAcyclicGraph<>(DefaultEdge.class);

  /** Creates an empty DAG. */
  public CompletedDag() {}

  /** Adds a node and returns its index. */
  public int add(DagNode dagNode) {
    dagNodes.add(dagNode);
    int index = dagNodes.size() - 1;
    graph.addVertex(index);
    return index;
  }

  /**
   * Requires that {@code to} starts after {@code from}.
   *
   * @throws IllegalArgumentException if this creates a cycle
   */
  public void addPrecedence(int from, int to) {
    graph.addEdge(from, to);
  }

  /**
   * Adds the wait and the boot of an instance, each up to its release if that is earlier.
   *
   * @param acquire the node that requests it
   * @param number its number from 1
   * @param runningS when it runs, or would run
   * @param readyS when it is ready, or would be
   * @return the last of the two nodes that it reaches
   */
  public int addProvisioning(
      int acquire, int number, double runningS, double readyS, double releasedS) {
    DagNode request = dagNodes.get(acquire);
    double requestedS = request.startS();
    double queuedS = Math.min(runningS, releasedS) - requestedS;
    int queue = add(of(request, DagNodeType.QUEUE, number, requestedS, queuedS));
    addPrecedence(acquire, queue);
    if (!Billing.reachedRunning(runningS, releasedS)) {
      return queue;
    }
    double bootedS = Math.min(readyS, releasedS) - runningS;
    int boot = add(of(request, DagNodeType.BOOT, number, runningS, bootedS));
    addPrecedence(queue, boot);
    return boot;
  }

  private static DagNode of(
      DagNode request, DagNodeType type, int number, double startS, double seconds) {
    return new DagNode(type, request.chain(), request.group(), number, List.of(), startS, seconds);
  }

  /** Returns all nodes; edges and paths refer to them by index. */
  public List<DagNode> nodes() {
    return List.copyOf(dagNodes);
  }

  /** Returns all edges in a fixed order. */
  public List<DagEdge> edges() {
    return graph.edgeSet().stream()
        .map(edge -> new DagEdge(graph.getEdgeSource(edge), graph.getEdgeTarget(edge)))
        .toList();
  }

  /** Returns the length of the longest path in seconds. */
  public double longestPathS() {
    double longest = 0;
    for (double end : endsS()) {
      longest = Math.max(longest, end);
    }
    return longest;
  }

  /** Returns, by node, the length of the longest path up to and including it. */
  public double[] endsS() {
    double[] endsS = new double[dagNodes.size()];
    graph
        .iterator()
        .forEachRemaining(
            node -> {
              double startS = 0;
              for (int before : Graphs.predecessorListOf(graph, node)) {
                startS = Math.max(startS, endsS[before]);
              }
              endsS[node] = startS + dagNodes.get(node).seconds();
            });
    return endsS;
  }

  /**
   * Returns a longest path, from the first node to the Sync that completes the plan. Among equal
   * paths, nodes that were added earlier are preferred.
   */
  public List<Integer> criticalPath() {
    double[] endsS = endsS();
    int at = -1;
    for (int node = 0; node < endsS.length; node++) {
      boolean sync = dagNodes.get(node).kind() == DagNodeType.SYNC;
      at = sync && (at < 0 || endsS[node] > endsS[at]) ? node : at;
    }
    Deque<Integer> path = new ArrayDeque<>();
    while (at >= 0) {
      path.addFirst(at);
      int latest = -1;
      for (int before : Graphs.predecessorListOf(graph, at)) {
        latest = latest < 0 || endsS[before] > endsS[latest] ? before : latest;
      }
      at = latest;
    }
    return List.copyOf(path);
  }
}
