package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.LimitsBuilder;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RestPlans;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.InitialHoldings;
import io.elastune.planner.model.SearchParameters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Re-plans with the mean-value model alone, without samples: the choice to compare with. */
final class MeanValuePlans implements RestPlans {
  private static final int MOST_STEPS = 1_000;
  private static final double EVEN = 0.5;

  private final Problem rest;
  private final RunSnapshot snapshot;

  MeanValuePlans(Problem problem, RunSnapshot snapshot) {
    this.snapshot = snapshot;
    rest =
        problem.withWorkload(
            new Workload(
                snapshot.chains().stream()
                    .map(chain -> new Chain(chain.name(), chain.left()))
                    .toList()));
  }

  /** Completion time with a confidence, and cost. */
  private record Score(double completionS, double costUsd) {}

  @Override
  public Optional<PlanForecast> outlook(Plan plan) {
    ChoiceSet choiceSet = choices(plan);
    return score(plan, choiceSet, rest.limits().confidence())
        .map(
            safe ->
                new PlanForecast(
                    plan,
                    score(plan, choiceSet, EVEN).orElseThrow().completionS(),
                    safe.completionS(),
                    safe.costUsd()));
  }

  @Override
  public boolean allows(Plan plan) {
    return outlook(plan).isPresent();
  }

  @Override
  public List<PlanForecast> alternatives(Plan current) {
    ChoiceSet choiceSet = choices(current);
    if (choiceSet.offerChoices().isEmpty()) {
      return List.of();
    }
    AtomicInteger steps = new AtomicInteger();
    JobSearch search =
        new JobSearch(
            rest,
            choiceSet,
            true,
            holdings(choiceSet),
            SearchParameters.DEFAULT,
            () -> steps.incrementAndGet() > MOST_STEPS);
    double deadlineS = rest.limits().deadlineOrInfinityS();
    double budgetUsd = rest.limits().budgetOrInfinityUsd();
    search.know(current);
    search.deepen(deadlineS);
    if (search.front(deadlineS).items().stream()
        .noneMatch(it -> it.completionS() <= deadlineS && it.costUsd() <= budgetUsd)) {
      search.hasten();
      search.descend(deadlineS);
      outlook(current).ifPresent(now -> search.deepen(now.safeS()));
    }
    return search.front(deadlineS).items().stream()
        .flatMap(it -> outlook(search.plan(it, false)).stream())
        .toList();
  }

  private ChoiceSet choices(Plan plan) {
    return ChoiceSet.of(
        rest,
        plan.allocations().values().stream().map(Allocation::offer).collect(Collectors.toSet()));
  }

  private Optional<Score> score(Plan plan, ChoiceSet choiceSet, double confidence) {
    Problem problem =
        rest.withLimits(LimitsBuilder.builder(rest.limits()).confidence(confidence).build());
    Map<String, InitialHoldings> holdings = holdings(choiceSet);
    double completionS = 0;
    double costUsd = 0;
    for (Chain chain : rest.workload().chains()) {
      Optional<ChainCandidate> scored =
          new CandidateScorer(
                  JobSearch.model(
                      problem,
                      choiceSet,
                      chain,
                      true,
                      holdings.getOrDefault(chain.name(), InitialHoldings.NOTHING),
                      SearchParameters.DEFAULT))
              .score(plan);
      if (scored.isEmpty()) {
        return Optional.empty();
      }
      completionS = Math.max(completionS, scored.get().completionS());
      costUsd += scored.get().costUsd();
    }
    return Optional.of(new Score(completionS, costUsd));
  }

  private Map<String, InitialHoldings> holdings(ChoiceSet choiceSet) {
    Map<String, InitialHoldings> holdingsByChain = new HashMap<>();
    double settledUsd = snapshot.settledUsd();
    for (RunSnapshot.ChainSnapshot chain : snapshot.chains()) {
      double fromS = Math.max(snapshot.atS(), chain.fromS().orElse(snapshot.atS()));
      holdingsByChain.put(
          chain.name(), InitialHoldings.of(chain, fromS, settledUsd, rest.offers(), choiceSet));
      settledUsd = 0;
    }
    return holdingsByChain;
  }
}
