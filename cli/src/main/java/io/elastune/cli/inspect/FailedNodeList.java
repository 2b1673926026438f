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
    if (!nodes.isEmpty()) {
      lines.add(
          " bad nodes    "
              + Plural.counted(nodes.size(), "node")
              + " could not become ready, "
              + UsdFormat.format(lostUsd())
              + " lost");
      add(lines, nodes.stream().map(this::excerpt).toList());
    }
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

  /** Returns the cost in USD of the nodes that could not become ready. */
  double lostUsd() {
    List<String> leases =
        of(DecisionKind.NODE_FAILED).stream().map(row -> row.reason().details().get(0)).toList();
    return run.leases().stream()
        .filter(lease -> leases.contains(lease.lease()))
        .mapToDouble(LeaseRow::usd)
        .sum();
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
