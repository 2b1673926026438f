package io.elastune.plan.estimate;

import io.elastune.core.estimate.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the cases whose plan is that of a case that differs in its budget only. */
public final class DistinctCases {
  private static final double EQUAL = 0.005;

  private final List<CaseResult> results;

  public DistinctCases(List<CaseResult> results) {
    this.results = List.copyOf(results);
  }

  /** Returns the cases without those whose plan is that of a case with a smaller budget. */
  public List<CaseResult> distinct() {
    List<CaseResult> kept = new ArrayList<>();
    for (List<CaseResult> group : groups()) {
      kept.addAll(steps(group));
    }
    return results.stream().filter(kept::contains).toList();
  }

  /** Those with an estimate, grouped by everything but the budget, by increasing budget. */
  public List<List<CaseResult>> groups() {
    Map<EstimateCase, List<CaseResult>> groups = new LinkedHashMap<>();
    for (CaseResult result : results) {
      EstimateCase asked = result.asked();
      EstimateCase key =
          new EstimateCase(asked.place(), asked.market(), asked.deadline(), Optional.empty());
      groups.computeIfAbsent(key, same -> new ArrayList<>()).add(result);
    }
    return groups.values().stream()
        .map(
            group ->
                group.stream()
                    .sorted(
                        Comparator.comparingDouble(it -> it.budgetUsd().orElse(Double.MAX_VALUE)))
                    .toList())
        .toList();
  }

  /** Returns those of increasing budget whose plan differs from the one before. */
  public static List<CaseResult> steps(List<CaseResult> group) {
    List<CaseResult> steps = new ArrayList<>();
    for (CaseResult result : group) {
      if (steps.isEmpty() || !isEqual(steps.get(steps.size() - 1), result)) {
        steps.add(result);
      }
    }
    return steps;
  }

  /** Whether two cases have plans of the same cost and time, or the same reason for none. */
  public static boolean isEqual(CaseResult one, CaseResult other) {
    if (one.found().isEmpty() || other.found().isEmpty()) {
      return false;
    }
    Estimate first = one.found().get().estimate();
    Estimate second = other.found().get().estimate();
    return isNear(first.costUsd().mean(), second.costUsd().mean())
        && isNear(first.completionS().mean(), second.completionS().mean());
  }

  private static boolean isNear(double one, double other) {
    return Math.abs(one - other) <= EQUAL * Math.max(one, other);
  }
}
