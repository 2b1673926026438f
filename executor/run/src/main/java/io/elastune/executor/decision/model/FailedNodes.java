package io.elastune.executor.decision.model;

import io.elastune.provisioner.PreparationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The nodes that could not become ready since the run started or was last resumed.
 *
 * @param anyReady whether any other node has become ready since then
 * @param nodes the failed nodes, in the order of their failures
 */
public record FailedNodes(boolean anyReady, List<FailedNode> nodes) {
  /** No node has become ready or failed. */
  public static final FailedNodes NONE = new FailedNodes(false, List.of());

  /** What differs between equal failures of several nodes: addresses, times, sizes and leases. */
  private static final Pattern VARIABLE = Pattern.compile("[0-9]+");

  /**
   * A node that could not become ready.
   *
   * @param lease its lease
   */
  public record FailedNode(String lease, PreparationFailure failure) {
    /** The step, and the last line of the output, which usually names the cause. */
    private String cause() {
      String last =
          failure.message().lines().filter(line -> !line.isBlank()).reduce("", (a, b) -> b);
      return failure.step() + " " + VARIABLE.matcher(last.strip()).replaceAll("#");
    }
  }

  public FailedNodes {
    nodes = List.copyOf(nodes);
  }

  /** Returns the state after a node has become ready. */
  public FailedNodes ready() {
    return new FailedNodes(true, nodes);
  }

  /** Returns the state after another node has failed. */
  public FailedNodes with(FailedNode node) {
    List<FailedNode> all = new ArrayList<>(nodes);
    all.add(node);
    return new FailedNodes(anyReady, all);
  }

  /** Whether nodes have failed and none has become ready, so that all may fail alike. */
  public boolean areAll() {
    return !anyReady && !nodes.isEmpty();
  }

  /**
   * Returns the first node with the most frequent cause, if that is not the cause of the first node
   * of all.
   */
  public Optional<FailedNode> mostFrequent() {
    Map<String, Long> counts =
        nodes.stream().collect(Collectors.groupingBy(FailedNode::cause, Collectors.counting()));
    return nodes.stream()
        .reduce(
            (first, other) ->
                counts.getOrDefault(other.cause(), 0L) > counts.getOrDefault(first.cause(), 0L)
                    ? other
                    : first)
        .filter(node -> !node.cause().equals(nodes.get(0).cause()));
  }
}
