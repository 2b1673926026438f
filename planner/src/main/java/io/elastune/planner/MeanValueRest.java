package io.elastune.planner;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.LimitsBuilder;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.InitialHoldings;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The rest of a run by the mean-value model ({@link MeanValueModel}), from its present state. */
public final class MeanValueRest {
  /** The most steps of the greedy searches of a result. */
  private static final int MOST_STEPS = 1_000;

  private final Problem problem;
  private final RunSnapshot snapshot;

  /**
   * Creates the rest of one state of a run.
   *
   * @param problem the offers and profiles as they are known now, and the limits of the run
   */
  public MeanValueRest(Problem problem, RunSnapshot snapshot) {
    this.snapshot = snapshot;
    this.problem =
        problem.withWorkload(
            problem
                .workload()
                .withChains(
                    snapshot.chains().stream()
                        .map(chain -> new Chain(chain.name(), chain.left()))
                        .toList()));
  }

  /** The score of a plan. */
  public record Score(double completionS, double costUsd) implements TimeAndCost {}

  /** Returns the problem whose groups are those that are left. */
  public Problem problem() {
    return problem;
  }

  /** Returns when the next group of a chain can begin. */
  double fromS(RunSnapshot.ChainSnapshot chain) {
    return Math.max(snapshot.atS(), chain.fromS().orElse(snapshot.atS()));
  }

  /** Returns the choices on the offers that a plan uses. */
  public ChoiceSet choices(Plan plan) {
    return ChoiceSet.of(
        problem,
        plan.allocations().values().stream().map(Allocation::offer).collect(Collectors.toSet()));
  }

  /**
   * Returns the completion time with a confidence and the cost; empty if a plan is not among the
   * choices. The model knows no spare instances.
   */
  public Optional<Score> score(Plan plan, ChoiceSet choiceSet, double confidence) {
    Problem scored =
        problem.withLimits(LimitsBuilder.builder(problem.limits()).confidence(confidence).build());
    Map<String, InitialHoldings> holdings = holdings(choiceSet);
    double completionS = 0;
    double costUsd = 0;
    for (Chain chain : problem.workload().chains()) {
      Optional<ChainCandidate> candidate =
          new CandidateScorer(
                  JobSearch.model(
                      scored,
                      choiceSet,
                      chain,
                      true,
                      holdings.getOrDefault(chain.name(), InitialHoldings.NOTHING),
                      SearchParameters.DEFAULT))
              .score(plan);
      if (candidate.isEmpty()) {
        return Optional.empty();
      }
      completionS = Math.max(completionS, candidate.get().completionS());
      costUsd += candidate.get().costUsd();
    }
    return Optional.of(new Score(completionS, costUsd));
  }

  /** Returns a search for plans, which knows none yet. */
  public JobSearch search(ChoiceSet choiceSet) {
    return new JobSearch(
        problem,
        choiceSet,
        true,
        holdings(choiceSet),
        SearchParameters.DEFAULT,
        afterSteps(MOST_STEPS));
  }

  /**
   * Returns a limit of the effort: a number of steps, and not a time, so that results are equal.
   */
  private static BooleanSupplier afterSteps(int most) {
    AtomicInteger steps = new AtomicInteger();
    return () -> steps.incrementAndGet() > most;
  }

  /** Assigns the cost of ended leases to the first chain: it is the same for all plans. */
  private Map<String, InitialHoldings> holdings(ChoiceSet choiceSet) {
    Map<String, InitialHoldings> holdingsByChain = new HashMap<>();
    double settledUsd = snapshot.settledUsd();
    for (RunSnapshot.ChainSnapshot chain : snapshot.chains()) {
      holdingsByChain.put(
          chain.name(),
          InitialHoldings.of(chain, fromS(chain), settledUsd, problem.offers(), choiceSet));
      settledUsd = 0;
    }
    return holdingsByChain;
  }
}
