package io.elastune.simulator;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DirectedAcyclicGraph;

/**
 * The execution DAG of a plan, completed with what was decided inside one sample (model.md, "The
 * DAG"): Acquire → (Queue → Boot) per new instance → Train per trial → Sync per group → Release per
 * instance. Its longest path is the completion.
 */
public final class CompletedDag {
  /** What a node stands for. */
  public enum Kind {
    /** A group requests new instances. */
    ACQUIRE,
    /** An instance is on its way from request to running, or to its release before that. */
    QUEUE,
    /** An instance is on its way from running to ready, or to its release before that. */
    BOOT,
    /** A trial is trained. */
    TRAIN,
    /** The barrier: all trials of a group have ended. */
    SYNC,
    /** An instance is let go. */
    RELEASE
  }

  /**
   * A node.
   *
   * @param chain name of its chain; "" for the only one
   * @param group the trial group that requests, trains, ends or releases
   * @param number of a trial, in its group, or of an instance, in its chain, from 1; of an Acquire
   *     how many instances; else 0
   * @param instances the instances that a trial runs on, by number; else none
   * @param startS when it starts, in seconds from the start of the plan
   * @param seconds how long it takes
   */
  public record Node(
      Kind kind,
      String chain,
      String group,
      int number,
      List<Integer> instances,
      double startS,
      double seconds) {
    public Node {
      instances = List.copyOf(instances);
    }

    /** When it ends. */
    public double endS() {
      return startS + seconds;
    }
  }

  /** Node {@code to}, by index, starts only after node {@code from} has ended. */
  public record Edge(int from, int to) {}

  private final List<Node> nodes = new ArrayList<>();
  private final DirectedAcyclicGraph<Integer, DefaultEdge> graph =
      new DirectedAcyclicGraph<>(DefaultEdge.class);

  /** An empty one. */
  CompletedDag() {}

  /**
   * That of the sample in which every draw is at its mean.
   *
   * @throws IllegalPlanException if the problem does not allow the plan
   */
  public static CompletedDag atMeans(Problem problem, Plan plan) {
    PlanRules.check(problem, plan);
    Problem still = Cause.withoutSpread(problem);
    TracedRun run = new TracedRun(still, plan, 1);
    run.play(0);
    return new DagOfSample(still, run).dag();
  }

  /** Adds a node and returns its index. */
  int add(Node node) {
    nodes.add(node);
    int index = nodes.size() - 1;
    graph.addVertex(index);
    return index;
  }

  /**
   * Has {@code to} start after {@code from}.
   *
   * @throws IllegalArgumentException if a node would have to end before itself
   */
  void order(int from, int to) {
    graph.addEdge(from, to);
  }

  /** All nodes; edges and paths name them by their index here. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** All edges, in a fixed order. */
  public List<Edge> edges() {
    return graph.edgeSet().stream()
        .map(edge -> new Edge(graph.getEdgeSource(edge), graph.getEdgeTarget(edge)))
        .toList();
  }

  /** Length in seconds of the longest path. */
  public double longestPathS() {
    double longest = 0;
    for (double end : endsS()) {
      longest = Math.max(longest, end);
    }
    return longest;
  }

  /** By node, length of the longest path up to and including it. */
  double[] endsS() {
    double[] endsS = new double[nodes.size()];
    graph
        .iterator()
        .forEachRemaining(
            node -> {
              double startS = 0;
              for (int before : Graphs.predecessorListOf(graph, node)) {
                startS = Math.max(startS, endsS[before]);
              }
              endsS[node] = startS + nodes.get(node).seconds();
            });
    return endsS;
  }

  /**
   * A longest path, from the first node to the Sync that completes the plan; of equally long ones
   * the one through nodes added earlier.
   */
  public List<Integer> criticalPath() {
    double[] endsS = endsS();
    int at = -1;
    for (int node = 0; node < endsS.length; node++) {
      boolean sync = nodes.get(node).kind() == Kind.SYNC;
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
