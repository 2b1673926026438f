package io.elastune.executor.rehearsal;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.MeanValueRest;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RestPlans;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.ChoiceSet;
import java.util.List;
import java.util.Optional;

/** Re-plans with the mean-value model alone, without samples: the choice to compare with. */
final class MeanValuePlans implements RestPlans {
  private static final double EVEN = 0.5;

  private final MeanValueRest rest;
  private final Limits limits;

  MeanValuePlans(Problem problem, RunSnapshot snapshot) {
    rest = new MeanValueRest(problem, snapshot);
    limits = problem.limits();
  }

  @Override
  public Optional<PlanForecast> outlook(Plan plan) {
    ChoiceSet choiceSet = rest.choices(plan);
    return rest.score(plan, choiceSet, limits.confidence())
        .map(
            safe ->
                new PlanForecast(
                    plan,
                    rest.score(plan, choiceSet, EVEN).orElseThrow().completionS(),
                    safe.completionS(),
                    safe.costUsd(),
                    safe.costUsd()));
  }

  @Override
  public boolean allows(Plan plan) {
    return outlook(plan).isPresent();
  }

  @Override
  public List<PlanForecast> alternatives(Plan current) {
    ChoiceSet choiceSet = rest.choices(current);
    if (choiceSet.offerChoices().isEmpty()) {
      return List.of();
    }
    JobSearch search = rest.search(choiceSet);
    double deadlineS = limits.deadlineOrInfinityS();
    double budgetUsd = limits.budgetOrInfinityUsd();
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
}
