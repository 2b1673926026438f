package io.elastune.planner.evaluate;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.model.ParetoFront;
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
public record CandidateSet(
    FrontierCandidates frontier, Map<Plan, JobCandidate> byPlan, List<Plan> others) {
  public CandidateSet {
    byPlan = Collections.unmodifiableMap(new LinkedHashMap<>(byPlan));
    others = List.copyOf(others);
  }

  /** Returns the candidates of a frontier; {@code plan} converts a candidate to a plan. */
  public static CandidateSet of(
      ParetoFront<JobCandidate> paretoFront, Function<JobCandidate, Plan> plan, Limits limits) {
    Map<Plan, JobCandidate> byPlan = new LinkedHashMap<>();
    paretoFront.items().forEach(candidate -> byPlan.put(plan.apply(candidate), candidate));
    return new CandidateSet(FrontierCandidates.of(paretoFront, plan, limits), byPlan, List.of());
  }

  /** Returns a set of plans that no search found: the static clusters. */
  public static CandidateSet of(FrontierCandidates plans) {
    return new CandidateSet(plans, Map.of(), List.of());
  }

  /** Returns this set with further plans that are not on the frontier. */
  CandidateSet with(List<Plan> more) {
    List<Plan> all = new ArrayList<>(others);
    all.addAll(more);
    return new CandidateSet(frontier, byPlan, all);
  }

  /** Returns the fastest candidate of the search. */
  public JobCandidate fastest() {
    return byPlan.values().iterator().next();
  }
}
