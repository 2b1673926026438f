package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Other plans of the documents of {@code plan}. */
final class ComparedPlans {
  private ComparedPlans() {}

  /** A simple plan to compare with. */
  record SimplePlan(
      @JsonPropertyDescription("Its name.") String name,
      @JsonPropertyDescription("Whether it meets the limits.") boolean feasible,
      @JsonPropertyDescription("Mean completion time in seconds.") double completionS,
      @JsonPropertyDescription("Mean cost in USD.") double costUsd) {}

  /** A plan of the time-cost frontier. */
  record Choice(
      @JsonPropertyDescription("The number for --choice, from 1.") int choice,
      @JsonPropertyDescription("Mean completion time in seconds.") double completionS,
      @JsonPropertyDescription("Mean cost in USD.") double costUsd,
      @JsonPropertyDescription("Probability to meet the deadline; 1 without a deadline.")
          double onTime,
      @JsonPropertyDescription("Whether instances are kept until the end of the run.") boolean hold,
      @KeyIfPresent @JsonPropertyDescription("How several brackets use instances.")
          Optional<String> brackets,
      @JsonPropertyDescription("The trial groups with their allocations.")
          List<PlannedGroup> plan) {}

  static List<SimplePlan> baselines(List<Baseline> baselines) {
    return baselines.stream()
        .map(one -> new SimplePlan(one.name(), one.feasible(), one.completionS(), one.costUsd()))
        .toList();
  }

  static List<Choice> frontier(Problem problem, List<FrontierPoint> points) {
    return IntStream.range(0, points.size())
        .mapToObj(index -> choice(problem, index + 1, points.get(index)))
        .toList();
  }

  private static Choice choice(Problem problem, int number, FrontierPoint point) {
    return new Choice(
        number,
        point.completionS(),
        point.costUsd(),
        point.onTime(),
        point.plan().hold(),
        brackets(problem, point.plan()),
        PlannedGroup.of(problem, point.plan()));
  }

  /** Returns how several chains use instances; empty if there is one chain. */
  static Optional<String> brackets(Problem problem, Plan plan) {
    return problem.workload().chains().size() > 1
        ? Optional.of((plan.shared() ? Brackets.SHARED : Brackets.SEPARATE).word())
        : Optional.empty();
  }
}
