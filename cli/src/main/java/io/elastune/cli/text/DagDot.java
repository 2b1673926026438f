package io.elastune.cli.text;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.graph.CompletedDag.DagEdge;
import io.elastune.simulator.graph.CompletedDag.DagNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes a completed DAG in the DOT language of Graphviz (graphviz.org/doc/info/lang.html): one box
 * per chain and group, or per phase and rung, the critical path in red. The same DAG gives the same
 * text.
 */
public final class DagDot {
  private static final String CRITICAL = "color=\"#c0392b\", penwidth=2.5";
  private static final int DECIMALS = 3;

  private final String job;
  private final String unit;
  private final Problem problem;
  private final Plan plan;
  private final CompletedDag dag;
  private final Optional<RungRule> rungs;
  private final Map<String, StringBuilder> boxes = new LinkedHashMap<>();

  /** The DAG of {@code plan}; {@code unit} is what the job calls a unit. */
  public DagDot(String job, String unit, Problem problem, Plan plan, CompletedDag dag) {
    this.job = job;
    this.unit = unit;
    this.problem = problem;
    this.plan = plan;
    this.dag = dag;
    this.rungs = problem.workload().rungs();
  }

  /** Returns the whole file. */
  public String text() {
    List<Integer> path = dag.criticalPath();
    addNodes(path);
    StringBuilder text = new StringBuilder();
    text.append("digraph ").append(quoted(job)).append(" {\n");
    text.append("  graph [rankdir=LR, labelloc=t, fontname=\"sans-serif\", label=");
    text.append(quoted(title())).append("];\n");
    text.append("  node [shape=box, style=\"rounded,filled\", fillcolor=white, ");
    text.append("fontname=\"sans-serif\", fontsize=10];\n");
    text.append("  edge [color=\"#7f8c8d\"];\n");
    List<Chain> chains = problem.workload().chains();
    for (Chain chain : chains) {
      if (chains.size() > 1) {
        text.append("  subgraph ").append(quoted("cluster_chain_" + chain.name()));
        text.append(" {\n    label=").append(quoted("chain " + chain.name())).append(";\n");
      }
      labels(chain).forEach((group, label) -> addBox(text, group, label));
      text.append(chains.size() > 1 ? "  }\n" : "");
    }
    addEdges(text, path);
    return text.append("}\n").toString();
  }

  private String title() {
    return job
        + (rungs.isPresent() ? ": the first sample" : ": all times at their means")
        + ", completion "
        + seconds(dag.longestPathS())
        + "\nthe critical path is red; times are from the start of the plan";
  }

  private void addNodes(List<Integer> path) {
    Set<Integer> critical = new HashSet<>(path);
    List<DagNode> dagNodes = dag.nodes();
    for (int i = 0; i < dagNodes.size(); i++) {
      DagNode dagNode = dagNodes.get(i);
      StringBuilder box = boxes.computeIfAbsent(dagNode.group(), any -> new StringBuilder());
      box.append("    n").append(i).append(" [label=").append(quoted(label(dagNode)));
      box.append(", fillcolor=\"").append(fill(dagNode)).append('"');
      box.append(critical.contains(i) ? ", " + CRITICAL : "").append("];\n");
    }
  }

  private void addBox(StringBuilder text, String group, String label) {
    text.append("  subgraph ").append(quoted("cluster_group_" + group));
    text.append(" {\n    label=").append(quoted(label)).append(";\n");
    text.append(boxes.getOrDefault(group, new StringBuilder())).append("  }\n");
  }

  /** Returns the labels of the boxes of a chain, by group or by phase and rung, in order. */
  private Map<String, String> labels(Chain chain) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (TrialGroup group : chain.groups()) {
      String size = "group " + group.name() + ": ";
      if (rungs.isEmpty()) {
        size += count(group.trials(), "trial") + " × " + count(group.units(), unit) + " on ";
      } else if (group.name().equals(Workload.CLOSING)) {
        labels.putAll(rungLabels(rungs.get()));
      }
      labels.put(group.name(), size + instances(group));
    }
    return labels;
  }

  private Map<String, String> rungLabels(RungRule rule) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (int rung = 0; rung <= rule.lastRung(); rung++) {
      String name = RungRule.name(rung);
      long tasks = dag.nodes().stream().filter(node -> node.group().equals(name)).count();
      labels.put(
          name,
          "rung %s: %s to %s"
              .formatted(name, count((int) tasks, "trial"), count(rule.target(rung), unit)));
    }
    return labels;
  }

  private String instances(TrialGroup group) {
    Allocation allocation = plan.of(group);
    String type = problem.offer(allocation.offer()).map(Offer::instanceType).orElse("");
    String share =
        allocation.trialsPerGpu() == 1
            ? count(allocation.gpusPerTrial(), "GPU") + " per trial"
            : allocation.trialsPerGpu() + " trials per GPU";
    return "%d × %s, %s".formatted(allocation.instances(), type, share);
  }

  private static String count(int number, String noun) {
    return number + " " + (number == 1 ? noun : Plural.of(noun));
  }

  private static String label(DagNode dagNode) {
    String at = "at " + seconds(dagNode.startS());
    String from = seconds(dagNode.seconds()) + " from " + seconds(dagNode.startS());
    return switch (dagNode.kind()) {
      case ACQUIRE -> "acquire " + count(dagNode.number(), "instance") + "\n" + at;
      case QUEUE -> "instance " + dagNode.number() + " queues\n" + from;
      case BOOT -> "instance " + dagNode.number() + " boots\n" + from;
      case TRAIN -> "trial " + dagNode.number() + " on " + instances(dagNode) + "\n" + from;
      case SYNC -> "group " + dagNode.group() + " ends\n" + at;
      case RELEASE -> "release instance " + dagNode.number() + "\n" + at;
    };
  }

  private static String instances(DagNode dagNode) {
    return (dagNode.instances().size() == 1 ? "instance " : "instances ")
        + dagNode.instances().stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static String fill(DagNode dagNode) {
    return switch (dagNode.kind()) {
      case QUEUE, BOOT -> "#fdf2d0";
      case TRAIN -> "#dceefb";
      case ACQUIRE, SYNC, RELEASE -> "#eeeeee";
    };
  }

  private void addEdges(StringBuilder text, List<Integer> path) {
    Set<DagEdge> critical = new HashSet<>();
    for (int i = 1; i < path.size(); i++) {
      critical.add(new DagEdge(path.get(i - 1), path.get(i)));
    }
    for (DagEdge dagEdge : dag.edges()) {
      text.append("  n").append(dagEdge.from()).append(" -> n").append(dagEdge.to());
      text.append(critical.contains(dagEdge) ? " [" + CRITICAL + "]" : "").append(";\n");
    }
  }

  private static String seconds(double seconds) {
    BigDecimal rounded = BigDecimal.valueOf(seconds).setScale(DECIMALS, RoundingMode.HALF_EVEN);
    BigDecimal bare = rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    return bare.toPlainString() + " s";
  }

  /**
   * Returns a quoted string. It escapes backslashes, which begin sequences such as {@code \G}, and
   * quotes.
   */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
