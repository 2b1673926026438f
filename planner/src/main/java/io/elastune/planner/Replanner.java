package io.elastune.planner;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Re-plans the remaining groups of a run from its current state: completed groups stay as they are,
 * held instances may be kept, and deadline and budget apply to the run as a whole. Decides with the
 * mean-value model ({@link ChainModel}) and does not sample, so that a result takes milliseconds.
 */
public final class Replanner {
  private final Problem problem;
  private final long effort;

  /**
   * Creates a re-planner for the runs of {@code problem}.
   *
   * @param effort steps of the exact search, each about a microsecond; 0 for the fastest result
   */
  public Replanner(Problem problem, long effort) {
    this.problem = problem;
    this.effort = effort;
  }

  /**
   * Returns the best plan for the remaining groups: of those that meet deadline and budget the
   * cheapest (without a deadline the fastest); if none meets both, the fastest within the budget;
   * else the cheapest. Never worse than {@code current}.
   *
   * @param current the plan in progress: an allocation for every remaining group, and maybe others
   * @return empty if no offer can hold the remaining groups
   */
  public Optional<Replan> replan(Standing standing, Plan current) {
    return front(standing, current).flatMap(this::best);
  }

  /**
   * Returns the forecast of the run if it continues with {@code plan}.
   *
   * @param plan an allocation for every remaining group, and maybe others
   * @return empty if it is not a plan for the remaining groups
   */
  public Optional<Replan> outlook(Standing standing, Plan plan) {
    Problem rest = rest(standing);
    Menu menu = Menu.of(rest);
    if (menu.rentals().isEmpty()) {
      return Optional.empty();
    }
    Map<String, Start> starts = starts(standing, menu);
    double completionS = 0;
    double meanS = 0;
    double costUsd = 0;
    for (Chain chain : rest.workload().chains()) {
      Start start = starts.getOrDefault(chain.name(), Start.NOTHING);
      ChainModel model = JobSearch.model(rest, menu, chain, true, start, SearchParameters.DEFAULT);
      Optional<Draft> draft = new Scorer(model).score(plan);
      if (draft.isEmpty()) {
        return Optional.empty();
      }
      completionS = Math.max(completionS, draft.get().completionS());
      meanS = Math.max(meanS, draft.get().meanS());
      costUsd += draft.get().costUsd();
    }
    // The model of an only chain includes the hourly costs.
    boolean only = rest.workload().chains().size() == 1;
    double hourlyUsd = only ? 0 : meanS * problem.running().usdPerS();
    return Optional.of(replan(completionS, costUsd + hourlyUsd, plan));
  }

  private Optional<List<Replan>> front(Standing standing, Plan current) {
    Problem rest = rest(standing);
    Menu menu = Menu.of(rest);
    if (menu.rentals().isEmpty()) {
      return Optional.empty();
    }
    JobSearch search =
        new JobSearch(
            rest, menu, true, starts(standing, menu), SearchParameters.DEFAULT, () -> false);
    double deadlineS = problem.limits().deadlineS().orElse(Double.POSITIVE_INFINITY);
    search.know(current);
    search.deepen(deadlineS);
    // If the current plan leads to one that meets the limits, its neighbors suffice.
    if (replans(search, deadlineS).stream().noneMatch(Replanner::meetsAll)) {
      search.hasten();
      search.descend(deadlineS);
    }
    if (effort > 0) {
      search.exact(standing.atS(), deadlineS, effort);
    }
    return Optional.of(replans(search, deadlineS));
  }

  private List<Replan> replans(JobSearch search, double deadlineS) {
    return search.front(deadlineS).items().stream()
        .map(
            outline ->
                replan(outline.completionS(), outline.costUsd(), search.plan(outline, false)))
        .toList();
  }

  private static boolean meetsAll(Replan choice) {
    return choice.onTime() && choice.inBudget();
  }

  private Problem rest(Standing standing) {
    List<Chain> chains = new ArrayList<>();
    for (Standing.Chain chain : standing.chains()) {
      chains.add(new Chain(chain.name(), chain.left()));
    }
    return problem.withWorkload(new Workload(chains));
  }

  /** Assigns the cost of ended leases to the first chain: it is the same for all plans. */
  private Map<String, Start> starts(Standing standing, Menu menu) {
    Map<String, Start> starts = new HashMap<>();
    double settledUsd = standing.settledUsd();
    for (Standing.Chain chain : standing.chains()) {
      double fromS = Math.max(standing.atS(), chain.fromS().orElse(standing.atS()));
      starts.put(chain.name(), Start.of(chain, fromS, settledUsd, problem.offers(), menu));
      settledUsd = 0;
    }
    return starts;
  }

  private Replan replan(double completionS, double costUsd, Plan plan) {
    Limits limits = problem.limits();
    return new Replan(
        plan,
        completionS,
        costUsd,
        completionS <= limits.deadlineS().orElse(Double.POSITIVE_INFINITY) + Timed.SAME,
        costUsd <= limits.budgetUsd().orElse(Double.POSITIVE_INFINITY) + Timed.SAME);
  }

  private Optional<Replan> best(List<Replan> fastestFirst) {
    Optional<Replan> fastest = fastestFirst.stream().filter(Replan::inBudget).findFirst();
    Optional<Replan> last =
        fastestFirst.isEmpty()
            ? Optional.empty()
            : Optional.of(fastestFirst.get(fastestFirst.size() - 1));
    if (problem.limits().deadlineS().isEmpty() && problem.limits().budgetUsd().isPresent()) {
      return fastest.or(() -> last);
    }
    return fastestFirst.stream()
        .filter(Replanner::meetsAll)
        .reduce((faster, cheaper) -> cheaper)
        .or(() -> fastest)
        .or(() -> last);
  }
}
