package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The candidates of a job: the Pareto frontier that the search found, and plans that were added
 * after sampling.
 *
 * @param frontier plans of the frontier, by the search's own estimate
 * @param byPlan the search's candidate for each plan of the frontier, the fastest first
 * @param others plans that are not on the frontier
 */
record CandidateSet(Choices frontier, Map<Plan, Outline> byPlan, List<Plan> others) {
  CandidateSet {
    byPlan = Collections.unmodifiableMap(new LinkedHashMap<>(byPlan));
    others = List.copyOf(others);
  }

  /** Returns the candidates of a frontier; {@code plan} converts a candidate to a plan. */
  static CandidateSet of(Front<Outline> front, Function<Outline, Plan> plan, Limits limits) {
    Map<Plan, Outline> byPlan = new LinkedHashMap<>();
    front.items().forEach(candidate -> byPlan.put(plan.apply(candidate), candidate));
    return new CandidateSet(Choices.of(front, plan, limits), byPlan, List.of());
  }

  /** Returns a set of plans that no search found: the static clusters. */
  static CandidateSet of(Choices plans) {
    return new CandidateSet(plans, Map.of(), List.of());
  }

  /** Returns this set with further plans that are not on the frontier. */
  CandidateSet with(List<Plan> more) {
    List<Plan> all = new ArrayList<>(others);
    all.addAll(more);
    return new CandidateSet(frontier, byPlan, all);
  }

  /** Returns the fastest candidate of the search. */
  Outline fastest() {
    return byPlan.values().iterator().next();
  }
}
