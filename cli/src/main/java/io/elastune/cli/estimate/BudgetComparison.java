package io.elastune.cli.estimate;

import io.elastune.cli.text.UsdFormat;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.time.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares cases that differ in their budget only: what more money buys. */
final class BudgetComparison {
  private static final double EQUAL = 0.005;

  private final List<CaseResult> results;

  BudgetComparison(List<CaseResult> results) {
    this.results = results;
  }

  /** Returns the cases without those whose plan is that of a case with a smaller budget. */
  List<CaseResult> distinct() {
    List<CaseResult> kept = new ArrayList<>();
    for (List<CaseResult> group : groups()) {
      kept.addAll(steps(group));
    }
    return results.stream().filter(kept::contains).toList();
  }

  /** Returns a sentence for each step from a budget to the next larger one. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<CaseResult> group : groups()) {
      List<CaseResult> steps = steps(group);
      for (int i = 0; i < steps.size(); i++) {
        CaseResult step = steps.get(i);
        List<CaseResult> equal =
            group.stream()
                .filter(it -> !it.asked().equals(step.asked()) && isEqual(step, it))
                .toList();
        if (!equal.isEmpty() && isLarger(equal.get(0), step)) {
          lines.add(
              "more money buys nothing"
                  + place(step)
                  + ": with "
                  + alternatives(equal)
                  + " the plan is that of "
                  + budget(step)
                  + ", which costs "
                  + cost(step));
        }
        if (i > 0) {
          gain(steps.get(i - 1), step).ifPresent(lines::add);
        }
      }
    }
    return lines;
  }

  /** Those with an estimate, grouped by everything but the budget, by increasing budget. */
  private List<List<CaseResult>> groups() {
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

  private static List<CaseResult> steps(List<CaseResult> group) {
    List<CaseResult> steps = new ArrayList<>();
    for (CaseResult result : group) {
      if (steps.isEmpty() || !isEqual(steps.get(steps.size() - 1), result)) {
        steps.add(result);
      }
    }
    return steps;
  }

  private static boolean isLarger(CaseResult one, CaseResult other) {
    return one.budgetUsd().orElse(0) > other.budgetUsd().orElse(0);
  }

  /** Whether two cases have plans of the same cost and time, or the same reason for none. */
  private static boolean isEqual(CaseResult one, CaseResult other) {
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

  private static Optional<String> gain(CaseResult less, CaseResult more) {
    if (less.found().isEmpty() || more.found().isEmpty()) {
      return Optional.empty();
    }
    double sooner = seconds(less) - seconds(more);
    return sooner <= 0
        ? Optional.empty()
        : Optional.of(
            budget(more)
                + " instead of "
                + budget(less)
                + place(more)
                + " buys "
                + Durations.format(sooner)
                + ": ~"
                + Durations.format(seconds(more))
                + " for "
                + cost(more)
                + " instead of ~"
                + Durations.format(seconds(less))
                + " for "
                + cost(less));
  }

  private static double seconds(CaseResult result) {
    return result.found().orElseThrow().estimate().completionS().mean();
  }

  private static String cost(CaseResult result) {
    return "~" + UsdFormat.format(result.found().orElseThrow().estimate().costUsd().mean());
  }

  /** Returns e.g. {@code a budget of $40.00 or $80.00}. */
  private static String alternatives(List<CaseResult> results) {
    String first = budget(results.get(0));
    return Stream.concat(
            Stream.of(first),
            results.stream()
                .skip(1)
                .map(
                    result ->
                        result.budgetUsd().isPresent()
                            ? UsdFormat.format(result.budgetUsd().getAsDouble())
                            : budget(result)))
        .collect(Collectors.joining(" or "));
  }

  private static String budget(CaseResult result) {
    return result.budgetUsd().isPresent()
        ? "a budget of " + UsdFormat.format(result.budgetUsd().getAsDouble())
        : "no budget";
  }

  private static String place(CaseResult result) {
    String place =
        Stream.of(result.asked().place(), result.asked().market(), result.asked().deadline())
            .flatMap(Optional::stream)
            .collect(Collectors.joining(", "));
    return place.isEmpty() ? "" : " (" + place + ")";
  }
}
