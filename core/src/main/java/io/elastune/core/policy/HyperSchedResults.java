package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The results of all trials in each rung, and how trials compare with them. Mutable. */
final class HyperSchedResults {
  private final HyperSchedRule rule;
  private final List<SortedMap<Integer, Double>> results = new ArrayList<>();
  private final double[] cutOff;

  HyperSchedResults(HyperSchedRule rule, List<SortedMap<Integer, Double>> before) {
    this.rule = rule;
    before.forEach(losses -> results.add(new TreeMap<>(losses)));
    cutOff = new double[before.size()];
  }

  /** Adds what a task has reported: its first report at or after each target. */
  void add(PolicyView.Task task) {
    for (PolicyView.Report report : task.reports()) {
      for (int rung = 0; rung < results.size(); rung++) {
        if (report.unit() >= rule.targets().get(rung)) {
          results.get(rung).putIfAbsent(task.trial(), report.loss());
        }
      }
    }
  }

  /** Computes the cut-offs. A result without a finite metric is behind, but does not count. */
  void update() {
    for (int rung = 0; rung < cutOff.length; rung++) {
      cutOff[rung] =
          rule.cutOff(results.get(rung).values().stream().filter(Double::isFinite).toList());
    }
  }

  /** Whether a trial is behind the cut-off of a rung that it has passed. */
  boolean isBehind(int trial) {
    for (int rung = 0; rung < cutOff.length; rung++) {
      Double loss = results.get(rung).get(trial);
      if (loss != null && !(loss <= cutOff[rung])) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of rungs that a trial has passed. */
  int rungs(int trial) {
    return (int) results.stream().filter(losses -> losses.containsKey(trial)).count();
  }

  List<SortedMap<Integer, Double>> all() {
    return results;
  }
}
