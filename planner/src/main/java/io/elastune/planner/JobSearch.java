package io.elastune.planner;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** The search for plans of all chains of a job, every draw at its mean. */
final class JobSearch {
  private final Problem problem;
  private final List<ChainSearch> chains = new ArrayList<>();
  private final double clockUsdPerS;
  private final SearchParameters parameters;

  /**
   * @param starts what chains begin with, by name; the others with nothing
   * @param over whether no time is left: then the best so far must do
   */
  JobSearch(
      Problem problem,
      Menu menu,
      boolean spread,
      Map<String, Start> starts,
      SearchParameters parameters,
      BooleanSupplier over) {
    this.parameters = parameters;
    this.problem = problem;
    Pool.Shared shared = shared(problem, menu);
    // Of several chains the last one to end settles what is paid by the hour: counted when joined.
    this.clockUsdPerS = isShared(problem) ? problem.running().usdPerS() : 0;
    for (Chain chain : problem.workload().chains()) {
      Start start = starts.getOrDefault(chain.name(), Start.NOTHING);
      chains.add(
          new ChainSearch(model(problem, menu, chain, spread, start, parameters), shared, over));
    }
  }

  private static boolean isShared(Problem problem) {
    return problem.workload().chains().size() > 1;
  }

  /** What chains side by side take from each other. */
  private static Pool.Shared shared(Problem problem, Menu menu) {
    if (!isShared(problem)) {
      return Pool.Shared.NOTHING;
    }
    Limits limits = problem.limits();
    boolean byOffer = !Double.isInfinite(limits.maxUsdPerHour()) || !limits.quotas().isEmpty();
    return byOffer && menu.rentals().size() > 1 ? Pool.Shared.OFFERS : Pool.Shared.INSTANCES;
  }

  /** How one chain of a problem is looked at. */
  static ChainModel model(
      Problem problem,
      Menu menu,
      Chain chain,
      boolean spread,
      Start start,
      SearchParameters parameters) {
    ChainModel.Spreads spreads =
        !spread
            ? ChainModel.Spreads.NONE
            : problem.limits().deadlineS().isPresent()
                ? ChainModel.Spreads.CONFIDENT
                : ChainModel.Spreads.MEAN;
    // Chains end independently of each other, and all must be in time.
    double confidence =
        Math.pow(problem.limits().confidence(), 1.0 / problem.workload().chains().size());
    double clockUsdPerS = isShared(problem) ? 0 : problem.running().usdPerS();
    return new ChainModel(chain, menu, spreads, confidence, clockUsdPerS, start, parameters);
  }

  /** Remembers a plan, where all of it is on the menu. */
  void know(Plan plan) {
    for (ChainSearch chain : chains) {
      new Scorer(chain.model()).score(plan).ifPresent(chain.pool()::add);
    }
  }

  /** Looks for the fastest plans. */
  void hasten() {
    for (ChainSearch chain : chains) {
      caps().forEach(chain::hasten);
    }
  }

  /** Looks for the cheapest plans that take at most {@code deadlineS}. */
  void descend(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.descend(deadlineS, cap));
    }
  }

  /** Looks for the corners of every chain's frontier, above all around a deadline. */
  void sweep(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.sweep(deadlineS, cap));
    }
  }

  /** The same from the best plans known: less thorough, and much quicker. */
  void deepen(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.deepen(deadlineS, cap));
    }
  }

  /**
   * Completes the frontier of every chain between two deadlines, for each if that takes no more
   * than {@code effort} steps.
   *
   * @return whether all were completed
   */
  boolean exact(double fromS, double toS, long effort) {
    boolean all = true;
    for (ChainSearch chain : chains) {
      all &= chain.exact(fromS, toS, effort);
    }
    return all;
  }

  /** Looks for the best way to deal instances out to chains side by side ({@link Dealer}). */
  void deal(double deadlineS, long effort) {
    dealer().deal(deadlineS, effort);
  }

  private Dealer dealer() {
    return new Dealer(problem, chains, clockUsdPerS, parameters.combination());
  }

  /** Whether the exact search is to have a bound of its own in few steps. */
  boolean isSmall(long steps) {
    return chains.stream().allMatch(chain -> chain.isSmall(steps));
  }

  /** Instances that one chain may have to make do with: all, or a share of them. */
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
   * The frontier of all that was found.
   *
   * @param alsoS a deadline for which it must be exact, if the chains' frontiers are
   */
  Front<Outline> front(double alsoS) {
    return joiner().frontier(pools(ChainSearch::pool), alsoS);
  }

  Front<Outline> staticFront(double alsoS) {
    return joiner().frontier(pools(ChainSearch::staticPool), alsoS);
  }

  Front<Outline> naiveFront(double alsoS) {
    return joiner().frontier(pools(ChainSearch::naivePool), alsoS);
  }

  private Joiner joiner() {
    return new Joiner(problem.limits(), clockUsdPerS, parameters.combination());
  }

  private List<Pool> pools(Function<ChainSearch, Pool> which) {
    return chains.stream().map(which).toList();
  }

  /** Whether every chain's cheapest plan for this deadline is proven to be that. */
  boolean isExact(double deadlineS) {
    return chains.stream().allMatch(chain -> chain.isExact(deadlineS));
  }

  /** Whether no shared limit and no shared bill couples the chains under this deadline. */
  boolean isUncoupled(double deadlineS) {
    Joiner joiner = joiner();
    return joiner.join(pools(ChainSearch::pool), deadlineS).isPresent()
        && !joiner.isCoupled()
        && clockUsdPerS == 0;
  }

  /** What the job would cost if nothing varied; {@code effort} is that of the exact search. */
  Guide guide(double deadlineS, long effort) {
    double sumUsd = 0;
    boolean exact = true;
    for (ChainSearch chain : chains) {
      ChainModel still =
          model(
              problem,
              chain.model().menu(),
              chain.model().chain(),
              false,
              Start.NOTHING,
              parameters);
      Guide own = chain.guide(still, deadlineS, effort);
      sumUsd += own.leastUsd();
      exact &= own.exact();
    }
    return new Guide(sumUsd, exact);
  }

  /** No plan that takes at most {@code deadlineS} costs less, all spreads being zero. */
  double leastUsd(double deadlineS) {
    return chains.size() == 1
        ? chains.get(0).leastUsd(deadlineS)
        : dealer().leastUsd(deadlineS, shortestS());
  }

  /** No plan costs less in the mean that keeps the deadline with the confidence asked for. */
  double surelyLeastUsd(double deadlineS) {
    double confidence = problem.limits().confidence();
    return chains.stream()
        .mapToDouble(chain -> new ChanceBound(chain.model(), confidence).leastUsd(deadlineS))
        .sum();
  }

  /** The least that the work itself costs, in the mean and whatever the time. */
  double workUsd() {
    return chains.stream().mapToDouble(chain -> LowerBound.workUsd(chain.model())).sum();
  }

  /** Every unit at the cheapest USD per unit: no start-up, no boot, no idling. */
  double unitsUsd() {
    return chains.stream().mapToDouble(chain -> LowerBound.unitsUsd(chain.model())).sum();
  }

  /** Every unit at the fastest, all trials at once as far as instances go: no boot either. */
  double shortestS() {
    return chains.stream()
        .mapToDouble(chain -> LowerBound.shortestS(chain.model()))
        .max()
        .orElse(0);
  }

  /** Plans one move away from {@code at}, the first in an order. */
  List<Outline> neighbours(Outline at, Reach reach, Comparator<Outline> order, int most) {
    List<Outline> all = new ArrayList<>();
    for (int chain = 0; chain < chains.size(); chain++) {
      Draft own = at.drafts().get(chain);
      double othersUsd = at.costUsd() - own.costUsd();
      int place = chain;
      chains
          .get(chain)
          .around(own, problem.limits().maxInstances(), reach.beside(othersUsd))
          .forEach(draft -> joiner().replaced(at, place, draft).ifPresent(all::add));
    }
    return all.stream().sorted(order).limit(most).toList();
  }

  Plan plan(Outline outline, boolean hold) {
    return outline.plan(chains, hold);
  }

  /** The greedy steps that led to {@code outline}; empty if another search found it. */
  List<Step> stepsTo(Outline outline) {
    List<Step> steps = new ArrayList<>();
    for (int chain = 0; chain < chains.size(); chain++) {
      steps.addAll(chains.get(chain).stepsTo(outline.drafts().get(chain)));
    }
    return steps;
  }
}
