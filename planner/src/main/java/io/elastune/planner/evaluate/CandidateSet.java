package io.elastune.planner.evaluate;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.TimeAndCost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The candidates of a job: the Pareto frontier by the estimate of the search, in the order in which
 * limits change from missed to met, and plans that were added after sampling.
 *
 * @param fastestFirst the plans of the frontier, each slower and cheaper than the one before
 * @param onTime how many of them, from the first, may meet the deadline
 * @param overBudget how many of them, from the first, may exceed the budget
 * @param byPlan the candidate of each plan of the frontier, the fastest first; empty if no search
 *     of chains found them
 * @param others plans that are not on the frontier
 */
public record CandidateSet(
    List<Plan> fastestFirst,
    int onTime,
    int overBudget,
    Map<Plan, JobCandidate> byPlan,
    List<Plan> others) {
  public CandidateSet {
    fastestFirst = List.copyOf(fastestFirst);
    byPlan = Collections.unmodifiableMap(new LinkedHashMap<>(byPlan));
    others = List.copyOf(others);
  }

  /** Returns the plans of a frontier. */
  public static <T extends TimeAndCost> CandidateSet of(
      ParetoFront<T> frontier, Function<T, Plan> plan, Limits limits) {
    List<T> items = frontier.items();
    return new CandidateSet(
        items.stream().map(plan).toList(),
        frontier.countWithin(limits.deadlineOrInfinityS()),
        (int) items.stream().filter(it -> it.costUsd() > limits.budgetOrInfinityUsd()).count(),
        Map.of(),
        List.of());
  }

  /** Returns the plans of the frontier of evaluated plans. */
  public static CandidateSet ofEvaluated(Collection<Evaluation> evaluations, Limits limits) {
    ParetoFront<Evaluation> frontier =
        new ParetoFront<>(Comparator.comparingDouble(Evaluation::costUsd));
    frontier.addAll(evaluations);
    return of(frontier, Evaluation::plan, limits);
  }

  /** Returns the candidates that a search of chains found. */
  public static CandidateSet ofSearch(
      ParetoFront<JobCandidate> frontier, Function<JobCandidate, Plan> plan, Limits limits) {
    Map<Plan, JobCandidate> byPlan = new LinkedHashMap<>();
    frontier.items().forEach(candidate -> byPlan.put(plan.apply(candidate), candidate));
    CandidateSet plans = of(frontier, plan, limits);
    return new CandidateSet(
        plans.fastestFirst, plans.onTime, plans.overBudget, byPlan, plans.others);
  }

  /** Returns this set with further plans that are not on the frontier. */
  CandidateSet with(List<Plan> more) {
    List<Plan> all = new ArrayList<>(others);
    all.addAll(more);
    return new CandidateSet(fastestFirst, onTime, overBudget, byPlan, all);
  }

  /** Returns the fastest candidate of the search. */
  public JobCandidate fastest() {
    return byPlan.values().iterator().next();
  }
}
