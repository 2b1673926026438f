package io.elastune.executor.decision;

import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Detects searches that cannot compare trials, because no trial has a value of the metric. */
final class UnusableMetric {
  private UnusableMetric() {}

  /**
   * Whether the run stops after a group, because no trial of the group has a value of the metric.
   * It continues while other chains have such trials or may still get some; a metric that is
   * missing from all reports is not expected from other chains. After the last group of the run,
   * values of trials that were stopped earlier are sufficient. A profiling run compares no trials.
   *
   * @param chain the chain whose group has ended
   * @param alive trials that reached the end of the group
   * @param last whether it was the last group of its bracket
   */
  static boolean stops(Transition transition, int chain, List<TrialState> alive, boolean last) {
    if (transition.definition.isProfiling() || alive.stream().anyMatch(TrialState::hasValue)) {
      return false;
    }
    if (!last && hasOneBracket(transition)) {
      return true;
    }
    String metric = transition.definition.metric().name();
    boolean missing = alive.stream().noneMatch(trial -> trial.reported().contains(metric));
    return transition.trials().values().stream().noneMatch(TrialState::hasValue)
        && (missing || noneElse(transition, chain));
  }

  private static boolean hasOneBracket(Transition transition) {
    return transition.definition.workload().groups().stream()
            .filter(group -> group.fromUnit() == 0)
            .count()
        == 1;
  }

  /** Whether all other brackets have ended. */
  private static boolean noneElse(Transition transition, int chain) {
    List<TrialGroup> own = transition.chainDefinition(chain).groups();
    boolean laterBracket =
        own.subList(transition.chain(chain).group(), own.size()).stream()
            .anyMatch(group -> group.fromUnit() == 0);
    if (laterBracket) {
      return false;
    }
    for (int other = 0; other < transition.chainCount(); other++) {
      int groups = transition.chainDefinition(other).groups().size();
      if (other != chain && transition.chain(other).group() < groups) {
        return false;
      }
    }
    return true;
  }

  /** Names the metric, what the trials reported instead, and the remedy. */
  static DecisionReason reason(Transition transition, TrialGroup group, List<TrialState> alive) {
    String metric = transition.definition.metric().name();
    long invalid = alive.stream().filter(trial -> trial.reported().contains(metric)).count();
    SortedSet<String> instead = new TreeSet<>();
    alive.stream()
        .filter(trial -> !trial.reported().contains(metric))
        .forEach(trial -> instead.addAll(trial.reported()));
    List<String> details = new ArrayList<>();
    details.add(group.name());
    details.add(metric);
    details.add(Long.toString(alive.size() - invalid));
    details.add(Long.toString(invalid));
    details.addAll(instead);
    return new DecisionReason(ReasonCode.METRIC_UNUSABLE, details);
  }
}
