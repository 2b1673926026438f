package io.elastune.planner.combine;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.GreedyStep;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ChanceConstrainedBound;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.InitialHoldings;
import io.elastune.planner.model.LowerBound;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.search.CandidatePool;
import io.elastune.planner.search.ChainSearch;
import io.elastune.planner.search.NeighborLimits;
import io.elastune.planner.search.SpreadFreeBound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Searches for plans of all chains of a job with the mean-value model, and combines them. */
public final class JobSearch {
  private final Problem problem;
  private final List<ChainSearch> chains = new ArrayList<>();
  private final double clockUsdPerS;
  private final SearchParameters parameters;

  /**
   * @param holdingsByChain the instances that chains hold at their start, by chain name; the others
   *     hold none
   * @param timeLimitReached whether the time limit is reached: searches then return the best plan
   *     so far
   */
  public JobSearch(
      Problem problem,
      ChoiceSet choiceSet,
      boolean spread,
      Map<String, InitialHoldings> holdingsByChain,
      SearchParameters parameters,
      BooleanSupplier timeLimitReached) {
    this.parameters = parameters;
    this.problem = problem;
    CandidatePool.SharedResources sharedResources = shared(problem, choiceSet);
    // With several chains the last one to end decides the hourly costs: they are added on
    // combination.
    this.clockUsdPerS = isShared(problem) ? problem.running().usdPerS() : 0;
    for (Chain chain : problem.workload().chains()) {
      InitialHoldings initialHoldings =
          holdingsByChain.getOrDefault(chain.name(), InitialHoldings.NOTHING);
      chains.add(
          new ChainSearch(
              model(problem, choiceSet, chain, spread, initialHoldings, parameters),
              sharedResources,
              timeLimitReached));
    }
  }

  private static boolean isShared(Problem problem) {
    return problem.workload().chains().size() > 1;
  }

  /** What chains that run side by side share. */
  private static CandidatePool.SharedResources shared(Problem problem, ChoiceSet choiceSet) {
    if (!isShared(problem)) {
      return CandidatePool.SharedResources.NOTHING;
    }
    Limits limits = problem.limits();
    boolean byOffer = !Double.isInfinite(limits.maxUsdPerHour()) || !limits.quotas().isEmpty();
    return byOffer && choiceSet.offerChoices().size() > 1
        ? CandidatePool.SharedResources.OFFERS
        : CandidatePool.SharedResources.INSTANCES;
  }

  /** Returns the model of one chain of a problem. */
  public static MeanValueModel model(
      Problem problem,
      ChoiceSet choiceSet,
      Chain chain,
      boolean spread,
      InitialHoldings initialHoldings,
      SearchParameters parameters) {
    MeanValueModel.SpreadMode spreadMode =
        !spread
            ? MeanValueModel.SpreadMode.NONE
            : problem.limits().deadlineS().isPresent()
                ? MeanValueModel.SpreadMode.CONFIDENT
                : MeanValueModel.SpreadMode.MEAN;
    // Chains end independently of each other, and all must meet the deadline.
    double confidence =
        Math.pow(problem.limits().confidence(), 1.0 / problem.workload().chains().size());
    double clockUsdPerS = isShared(problem) ? 0 : problem.running().usdPerS();
    return new MeanValueModel(
        chain, choiceSet, spreadMode, confidence, clockUsdPerS, initialHoldings, parameters);
  }

  /** Adds a plan to the candidates, if all its allocations are in the choice set. */
  public void know(Plan plan) {
    for (ChainSearch chain : chains) {
      new CandidateScorer(chain.model()).score(plan).ifPresent(chain.pool()::add);
    }
  }

  /** Searches for the fastest plans. */
  public void hasten() {
    for (ChainSearch chain : chains) {
      caps().forEach(chain::hasten);
    }
  }

  /** Searches for the cheapest plans that take at most {@code deadlineS}. */
  public void descend(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.descend(deadlineS, cap));
    }
  }

  /**
   * Searches for corners of the frontier of every chain with beam search, mainly around a deadline.
   */
  public void beamSearch(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.beamSearch(deadlineS, cap));
    }
  }

  /**
   * Runs greedy descents from the best known plans: less thorough than {@link #descend}, and much
   * faster.
   */
  public void deepen(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.deepen(deadlineS, cap));
    }
  }

  /**
   * Completes the frontier of every chain between two deadlines, each in at most {@code effort}
   * steps.
   *
   * @return whether all were completed
   */
  public boolean searchExactly(double fromS, double toS, long effort) {
    boolean all = true;
    for (ChainSearch chain : chains) {
      all &= chain.searchExactly(fromS, toS, effort);
    }
    return all;
  }

  /**
   * Searches for the best split of instances among chains that run side by side ({@link
   * InstanceSplitSearch}).
   */
  public void splitInstances(double deadlineS, long effort) {
    splitSearch().proveBestSplit(deadlineS, effort);
  }

  private InstanceSplitSearch splitSearch() {
    return new InstanceSplitSearch(problem, chains, clockUsdPerS, parameters.combination());
  }

  /** Whether the bound for the exact search takes at most {@code steps} for every chain. */
  public boolean isSmall(long steps) {
    return chains.stream().allMatch(chain -> chain.isSmall(steps));
  }

  /** Numbers of instances to which a chain may be limited: all, or a share of them. */
  private Set<Integer> caps() {
    int most = problem.limits().maxInstances();
    Set<Integer> caps = new TreeSet<>(List.of(most));
    for (int share = 2;
        chains.size() > 1
            && most / share > 0
            && caps.size() < parameters.combination().instanceCaps();
        share *= 2) {
      caps.add(most / share);
    }
    return caps;
  }

  /**
   * Returns the frontier of all plans found.
   *
   * @param alsoS a deadline for which it must be exact, if the frontiers of the chains are
   */
  public ParetoFront<JobCandidate> front(double alsoS) {
    return combiner().frontier(pools(ChainSearch::pool), alsoS);
  }

  public ParetoFront<JobCandidate> staticFront(double alsoS) {
    return combiner().frontier(pools(ChainSearch::staticPool), alsoS);
  }

  public ParetoFront<JobCandidate> naiveFront(double alsoS) {
    return combiner().frontier(pools(ChainSearch::naivePool), alsoS);
  }

  private MultiChainCombiner combiner() {
    return new MultiChainCombiner(problem.limits(), clockUsdPerS, parameters.combination());
  }

  private List<CandidatePool> pools(Function<ChainSearch, CandidatePool> which) {
    return chains.stream().map(which).toList();
  }

  /** Whether the cheapest plan of every chain for this deadline is proven optimal. */
  public boolean isExact(double deadlineS) {
    return chains.stream().allMatch(chain -> chain.isExact(deadlineS));
  }

  /** Whether neither a shared limit nor a shared bill couples the chains under this deadline. */
  public boolean isUncoupled(double deadlineS) {
    MultiChainCombiner combiner = combiner();
    return combiner.combine(pools(ChainSearch::pool), deadlineS).isPresent()
        && !combiner.isCoupled()
        && clockUsdPerS == 0;
  }

  /** Bounds the cost of the job without spread; {@code effort} is that of the exact search. */
  public SpreadFreeBound spreadFreeBound(double deadlineS, long effort) {
    double sumUsd = 0;
    boolean exact = true;
    for (ChainSearch chain : chains) {
      MeanValueModel still =
          model(
              problem,
              chain.model().choiceSet(),
              chain.model().chain(),
              false,
              InitialHoldings.NOTHING,
              parameters);
      SpreadFreeBound own = chain.spreadFreeBound(still, deadlineS, effort);
      sumUsd += own.leastUsd();
      exact &= own.exact();
    }
    return new SpreadFreeBound(sumUsd, exact);
  }

  /**
   * Returns a lower bound, in USD, of the cost of every plan within the deadline, without spread.
   */
  public double leastUsd(double deadlineS) {
    return chains.size() == 1
        ? chains.get(0).leastUsd(deadlineS)
        : splitSearch().leastUsd(deadlineS, shortestS());
  }

  /**
   * Returns mean dollars that no plan costs less than that meets the deadline with the required
   * confidence.
   */
  public double chanceConstrainedLeastUsd(double deadlineS) {
    double confidence = problem.limits().confidence();
    return chains.stream()
        .mapToDouble(
            chain -> new ChanceConstrainedBound(chain.model(), confidence).leastUsd(deadlineS))
        .sum();
  }

  /** Returns least mean dollars of the work itself, regardless of time. */
  public double workUsd() {
    return chains.stream().mapToDouble(chain -> LowerBound.workUsd(chain.model())).sum();
  }

  /**
   * Returns the cost, in USD, of all units at the lowest cost per unit, without start-up, boot or
   * idle time.
   */
  public double unitsUsd() {
    return chains.stream().mapToDouble(chain -> LowerBound.unitsUsd(chain.model())).sum();
  }

  /**
   * Returns the time, in seconds, of all units at the highest speed, with as many trials in
   * parallel as instances allow, without boot time.
   */
  public double shortestS() {
    return chains.stream()
        .mapToDouble(chain -> LowerBound.shortestS(chain.model()))
        .max()
        .orElse(0);
  }

  /** Returns neighbors of a candidate, the first {@code most} in an order. */
  public List<JobCandidate> neighbors(
      JobCandidate at, NeighborLimits neighborLimits, Comparator<JobCandidate> order, int most) {
    List<JobCandidate> all = new ArrayList<>();
    for (int chain = 0; chain < chains.size(); chain++) {
      ChainCandidate own = at.chainCandidates().get(chain);
      double othersUsd = at.costUsd() - own.costUsd();
      int place = chain;
      chains
          .get(chain)
          .neighbors(own, problem.limits().maxInstances(), neighborLimits.besideOthers(othersUsd))
          .forEach(
              chainCandidate ->
                  combiner().withReplaced(at, place, chainCandidate).ifPresent(all::add));
    }
    return all.stream().sorted(order).limit(most).toList();
  }

  public Plan plan(JobCandidate jobCandidate, boolean hold) {
    return jobCandidate.plan(chains, hold);
  }

  /**
   * Returns the greedy steps that led to {@code jobCandidate}; empty if another search found it.
   */
  public List<GreedyStep> stepsTo(JobCandidate jobCandidate) {
    List<GreedyStep> greedySteps = new ArrayList<>();
    for (int chain = 0; chain < chains.size(); chain++) {
      greedySteps.addAll(chains.get(chain).stepsTo(jobCandidate.chainCandidates().get(chain)));
    }
    return greedySteps;
  }
}
