package io.elastune.cli.execute;

import io.elastune.cli.input.Inputs;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.SearchParameters;
import io.elastune.profiler.PlanValue;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Plans the job of a command with profiles that a measurement could give. */
final class HypotheticalPlans implements PlanValue {
  /** Differences of mean cost need few samples, since all plans have the same random numbers. */
  private static final PlannerOptions QUICK =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 200, 20_000);

  private final Inputs inputs;
  private final Map<String, Profile> known;

  /** {@code known}: the profiles of other GPU models. */
  HypotheticalPlans(Inputs inputs, Map<String, Profile> known) {
    this.inputs = inputs;
    this.known = new TreeMap<>(known);
  }

  /** Returns the best plan with the known profiles. */
  Optional<Worth> present() {
    return known.isEmpty() ? Optional.empty() : worth(known);
  }

  @Override
  public Optional<Worth> of(Profile profile) {
    Map<String, Profile> all = new TreeMap<>(known);
    all.put(profile.gpu(), profile);
    return worth(all);
  }

  private Optional<Worth> worth(Map<String, Profile> all) {
    Problem problem = inputs.problemWith(all);
    Search search = inputs.job().value().search();
    // Whether brackets share instances hardly changes what a measurement is worth.
    PlannerOptions options =
        search.hasOpenBrackets() ? QUICK.withBrackets(Brackets.SEPARATE) : QUICK.forSearch(search);
    return new Planner(problem, options, SearchParameters.PLAN_ALONE, () -> false)
        .plan()
        .match(HypotheticalPlans::worth, infeasible -> Optional.empty(), none -> Optional.empty());
  }

  private static Optional<Worth> worth(PlanResult.Found found) {
    return Optional.of(
        new Worth(found.estimate().costUsd().mean(), found.estimate().completionS().mean()));
  }

  @Override
  public boolean isTimed() {
    return inputs.job().value().deadline().isEmpty()
        || inputs.allowed().stream().allMatch(offer -> offer.usdPerHour() == 0);
  }
}
