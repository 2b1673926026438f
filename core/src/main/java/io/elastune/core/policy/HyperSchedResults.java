package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The results of all trials in each rung, and how trials compare with them. Mutable. */
final class HyperSchedResults {
  private final HyperSchedRule rule;
  private final List<Map<Integer, Double>> results;
  private final List<Double> cutOffs;
  private final boolean[] isCopied;

  /** Starts with the results of {@code before}, which do not change. */
  HyperSchedResults(HyperSchedRule rule, HyperSchedState before) {
    this.rule = rule;
    results = new ArrayList<>(before.results());
    cutOffs = new ArrayList<>(before.cutOffs());
    isCopied = new boolean[results.size()];
  }

  /** Adds what a task has reported: its first report at or after each target. */
  void add(PolicyView.Task task) {
    List<PolicyView.Report> reports = task.reports();
    int last = reports.isEmpty() ? 0 : reports.get(reports.size() - 1).unit();
    int rung = 0;
    while (rung < results.size() && last >= rule.targets().get(rung)) {
      rung++;
    }
    for (rung--; rung >= 0 && !results.get(rung).containsKey(task.trial()); rung--) {
      put(rung, task.trial(), firstAt(rule.targets().get(rung), reports).loss());
    }
  }

  private static PolicyView.Report firstAt(int target, List<PolicyView.Report> reports) {
    return reports.stream().filter(report -> report.unit() >= target).findFirst().orElseThrow();
  }

  private void put(int rung, int trial, double loss) {
    if (!isCopied[rung]) {
      isCopied[rung] = true;
      results.set(rung, new HashMap<>(results.get(rung)));
    }
    results.get(rung).put(trial, loss);
  }

  /**
   * Computes the cut-offs, and returns whether there are new results. A result without a finite
   * metric is behind, but does not count.
   */
  boolean update() {
    boolean isChanged = false;
    for (int rung = 0; rung < isCopied.length; rung++) {
      if (isCopied[rung]) {
        isChanged = true;
        cutOffs.set(
            rung,
            rule.cutOff(results.get(rung).values().stream().filter(Double::isFinite).toList()));
      }
    }
    return isChanged;
  }

  /** Whether a trial is behind the cut-off of a rung that it has passed. */
  boolean isBehind(int trial) {
    return HyperSchedState.isBehind(trial, results, cutOffs);
  }

  /** Returns the number of rungs that a trial has passed. */
  int rungs(int trial) {
    return (int) results.stream().filter(losses -> losses.containsKey(trial)).count();
  }

  /** Returns the results, which must not change afterwards. */
  List<Map<Integer, Double>> all() {
    return results;
  }

  List<Double> cutOffs() {
    return cutOffs;
  }
}
