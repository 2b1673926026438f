package io.elastune.cli.estimate;

import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.plan.estimate.CaseResult;
import io.elastune.plan.estimate.DistinctCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares cases that differ in their budget only: what more money buys. */
final class BudgetComparison {
  private final DistinctCases cases;

  BudgetComparison(List<CaseResult> results) {
    this.cases = new DistinctCases(results);
  }

  /** Returns a sentence for each step from a budget to the next larger one. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<CaseResult> group : cases.groups()) {
      List<CaseResult> steps = DistinctCases.steps(group);
      for (int i = 0; i < steps.size(); i++) {
        CaseResult step = steps.get(i);
        List<CaseResult> equal =
            group.stream()
                .filter(it -> !it.asked().equals(step.asked()) && DistinctCases.isEqual(step, it))
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

  private static boolean isLarger(CaseResult one, CaseResult other) {
    return one.budgetUsd().orElse(0) > other.budgetUsd().orElse(0);
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
