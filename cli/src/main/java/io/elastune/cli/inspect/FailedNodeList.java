package io.elastune.cli.inspect;

import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.OutputExcerpt;
import io.elastune.cli.text.Plural;
import io.elastune.cli.text.UsdFormat;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.LeaseRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists the nodes of a run that could not become ready, with their cost, and the launches that
 * failed for unknown reasons.
 */
final class FailedNodeList {
  private static final int MOST_LINES = 12;

  private final RunRecord run;

  FailedNodeList(RunRecord run) {
    this.run = run;
  }

  /** Returns a line for each failed node and for each cause of failed launches. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<DecisionRow> nodes = of(DecisionKind.NODE_FAILED);
    summary()
        .ifPresent(
            text -> {
              lines.add(" bad nodes    " + text);
              add(lines, nodes.stream().map(this::node).toList());
            });
    Map<String, String> launches = new LinkedHashMap<>(); // of equal failures, the last count
    of(DecisionKind.FAILOVER)
        .forEach(
            row -> {
              List<String> cause = row.reason().details().subList(1, row.reason().details().size());
              launches.put(String.join(" ", cause), excerpt(row));
            });
    if (!launches.isEmpty()) {
      lines.add(" launches     failed for unknown reasons, and were tried elsewhere");
      add(lines, List.copyOf(launches.values()));
    }
    return lines;
  }

  /** Returns one line on the number of failed nodes and their cost; empty if none has failed. */
  Optional<String> summary() {
    int count = of(DecisionKind.NODE_FAILED).size();
    return count == 0
        ? Optional.empty()
        : Optional.of(
            Plural.counted(count, "node")
                + " could not become ready, "
                + UsdFormat.format(lostUsd())
                + " lost");
  }

  /** Returns the cost in USD of the nodes that could not become ready. */
  double lostUsd() {
    return of(DecisionKind.NODE_FAILED).stream().mapToDouble(this::usd).sum();
  }

  /** Names a node, what it has cost until its end, and the cause. */
  private String node(DecisionRow row) {
    return lease(row)
        + ", "
        + UsdFormat.format(usd(row))
        + ": "
        + OutputExcerpt.of(DecisionText.nodeFailure(row.reason()));
  }

  private double usd(DecisionRow row) {
    return run.leases().stream()
        .filter(lease -> lease.lease().equals(lease(row)))
        .mapToDouble(LeaseRow::usd)
        .sum();
  }

  private static String lease(DecisionRow row) {
    return row.reason().details().get(0);
  }

  private static void add(List<String> lines, List<String> entries) {
    entries.stream().limit(MOST_LINES).forEach(entry -> lines.add("   " + entry));
    if (entries.size() > MOST_LINES) {
      lines.add("   and " + (entries.size() - MOST_LINES) + " more");
    }
  }

  private String excerpt(DecisionRow row) {
    return OutputExcerpt.of(DecisionText.of(run.run(), row.reason(), row.numbers()));
  }

  private List<DecisionRow> of(DecisionKind kind) {
    return run.decisions().stream().filter(row -> row.kind() == kind).toList();
  }
}
