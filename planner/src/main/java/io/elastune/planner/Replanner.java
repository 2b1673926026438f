package io.elastune.planner;

import io.elastune.core.job.Preference;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PreferenceOrder;
import io.elastune.planner.api.ReplanResult;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.InitialHoldings;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Re-plans the remaining groups of a run from its current state: completed groups stay as they are,
 * held instances may be kept, and deadline and budget apply to the run as a whole. Decides with the
 * mean-value model ({@link MeanValueModel}) and does not sample, so that a result takes
 * milliseconds.
 */
public final class Replanner {
  /** The most steps of the greedy searches of a result. */
  private static final int MOST_STEPS = 1_000;

  private final Problem problem;
  private final long effort;
  private final Optional<Preference> preference;

  /**
   * Creates a re-planner for the runs of {@code problem}.
   *
   * @param effort steps of the exact search, each about a microsecond; 0 for the fastest result
   */
  public Replanner(Problem problem, long effort) {
    this(problem, effort, Optional.empty());
  }

  /**
   * Creates a re-planner for the runs of {@code problem}.
   *
   * @param preference which of the plans that meet the limits is the best; empty for the cheapest,
   *     and without a deadline the fastest
   */
  public Replanner(Problem problem, long effort, Optional<Preference> preference) {
    this.problem = problem;
    this.effort = effort;
    this.preference = preference;
  }

  /**
   * Returns the best plan for the remaining groups: of those that meet deadline and budget the
   * preferred one (by default the cheapest, and without a deadline the fastest); if none meets
   * both, the fastest within the budget; else the cheapest. Never worse than {@code current}.
   *
   * @param current the plan in progress: an allocation for every remaining group, and maybe others
   * @return empty if no offer can hold the remaining groups
   */
  public Optional<ReplanResult> replan(RunSnapshot runSnapshot, Plan current) {
    return front(runSnapshot, current).flatMap(this::best);
  }

  /**
   * Returns the prediction of the run if it continues with {@code plan}.
   *
   * @param plan an allocation for every remaining group, and maybe others
   * @return empty if it is not a plan for the remaining groups
   */
  public Optional<ReplanResult> outlook(RunSnapshot runSnapshot, Plan plan) {
    Problem rest = rest(runSnapshot);
    ChoiceSet choiceSet = ChoiceSet.of(rest, used(plan));
    if (choiceSet.offerChoices().isEmpty()) {
      return Optional.empty();
    }
    Map<String, InitialHoldings> holdingsByChain = starts(runSnapshot, choiceSet);
    double completionS = 0;
    double meanS = 0;
    double costUsd = 0;
    for (Chain chain : rest.workload().chains()) {
      InitialHoldings initialHoldings =
          holdingsByChain.getOrDefault(chain.name(), InitialHoldings.NOTHING);
      MeanValueModel model =
          JobSearch.model(rest, choiceSet, chain, true, initialHoldings, SearchParameters.DEFAULT);
      Optional<ChainCandidate> chainCandidate = new CandidateScorer(model).score(plan);
      if (chainCandidate.isEmpty()) {
        return Optional.empty();
      }
      completionS = Math.max(completionS, chainCandidate.get().completionS());
      meanS = Math.max(meanS, chainCandidate.get().meanS());
      costUsd += chainCandidate.get().costUsd();
    }
    // The model of an only chain includes the hourly costs.
    boolean only = rest.workload().chains().size() == 1;
    double hourlyUsd = only ? 0 : meanS * problem.running().usdPerS();
    return Optional.of(replan(completionS, costUsd + hourlyUsd, plan));
  }

  private Optional<List<ReplanResult>> front(RunSnapshot runSnapshot, Plan current) {
    Problem rest = rest(runSnapshot);
    ChoiceSet choiceSet = ChoiceSet.of(rest, used(current));
    if (choiceSet.offerChoices().isEmpty()) {
      return Optional.empty();
    }
    JobSearch search =
        new JobSearch(
            rest,
            choiceSet,
            true,
            starts(runSnapshot, choiceSet),
            SearchParameters.DEFAULT,
            afterSteps(MOST_STEPS));
    double deadlineS = problem.limits().deadlineOrInfinityS();
    search.know(current);
    search.deepen(deadlineS);
    // If the current plan leads to one that meets the limits, its neighbors suffice.
    if (replans(search, deadlineS).stream().noneMatch(Replanner::meetsAll)) {
      search.hasten();
      search.descend(deadlineS);
    }
    if (effort > 0) {
      search.searchExactly(runSnapshot.atS(), deadlineS, effort);
    }
    return Optional.of(replans(search, deadlineS));
  }

  /**
   * Returns a limit of the effort: a number of steps, and not a time, so that results are equal.
   */
  private static BooleanSupplier afterSteps(int most) {
    AtomicInteger steps = new AtomicInteger();
    return () -> steps.incrementAndGet() > most;
  }

  private static Set<String> used(Plan plan) {
    return plan.allocations().values().stream().map(Allocation::offer).collect(Collectors.toSet());
  }

  private List<ReplanResult> replans(JobSearch search, double deadlineS) {
    return search.front(deadlineS).items().stream()
        .map(
            jobCandidate ->
                replan(
                    jobCandidate.completionS(),
                    jobCandidate.costUsd(),
                    search.plan(jobCandidate, false)))
        .toList();
  }

  private static boolean meetsAll(ReplanResult choice) {
    return choice.onTime() && choice.inBudget();
  }

  private Problem rest(RunSnapshot runSnapshot) {
    List<Chain> chains = new ArrayList<>();
    for (RunSnapshot.ChainSnapshot chainSnapshot : runSnapshot.chains()) {
      chains.add(new Chain(chainSnapshot.name(), chainSnapshot.left()));
    }
    return problem.withWorkload(new Workload(chains));
  }

  /** Assigns the cost of ended leases to the first chain: it is the same for all plans. */
  private Map<String, InitialHoldings> starts(RunSnapshot runSnapshot, ChoiceSet choiceSet) {
    Map<String, InitialHoldings> holdingsByChain = new HashMap<>();
    double settledUsd = runSnapshot.settledUsd();
    for (RunSnapshot.ChainSnapshot chainSnapshot : runSnapshot.chains()) {
      double fromS = Math.max(runSnapshot.atS(), chainSnapshot.fromS().orElse(runSnapshot.atS()));
      holdingsByChain.put(
          chainSnapshot.name(),
          InitialHoldings.of(chainSnapshot, fromS, settledUsd, problem.offers(), choiceSet));
      settledUsd = 0;
    }
    return holdingsByChain;
  }

  private ReplanResult replan(double completionS, double costUsd, Plan plan) {
    Limits limits = problem.limits();
    return new ReplanResult(
        plan,
        completionS,
        costUsd,
        completionS <= limits.deadlineOrInfinityS() + TimeAndCost.TOLERANCE,
        costUsd <= limits.budgetOrInfinityUsd() + TimeAndCost.TOLERANCE);
  }

  private Optional<ReplanResult> best(List<ReplanResult> fastestFirst) {
    List<ReplanResult> meeting = fastestFirst.stream().filter(Replanner::meetsAll).toList();
    if (preference.isPresent() && !meeting.isEmpty()) {
      boolean hasDeadline = problem.limits().deadlineS().isPresent();
      return Optional.of(
          new PreferenceOrder<>(
                  ReplanResult::completionS, ReplanResult::costUsd, preference.get(), hasDeadline)
              .of(meeting)
              .get(0));
    }
    Optional<ReplanResult> fastest =
        fastestFirst.stream().filter(ReplanResult::inBudget).findFirst();
    Optional<ReplanResult> last =
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
