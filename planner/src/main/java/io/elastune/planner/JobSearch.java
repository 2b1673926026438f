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

/** Searches for plans of all chains of a job with the mean-value model, and combines them. */
final class JobSearch {
  private final Problem problem;
  private final List<ChainSearch> chains = new ArrayList<>();
  private final double clockUsdPerS;
  private final SearchParameters parameters;

  /**
   * @param starts the instances that chains hold at their start, by chain name; the others hold
   *     none
   * @param timeLimitReached whether the time limit is reached: searches then return the best plan
   *     so far
   */
  JobSearch(
      Problem problem,
      Menu menu,
      boolean spread,
      Map<String, Start> starts,
      SearchParameters parameters,
      BooleanSupplier timeLimitReached) {
    this.parameters = parameters;
    this.problem = problem;
    Pool.Shared shared = shared(problem, menu);
    // With several chains the last one to end decides the hourly costs: they are added on
    // combination.
    this.clockUsdPerS = isShared(problem) ? problem.running().usdPerS() : 0;
    for (Chain chain : problem.workload().chains()) {
      Start start = starts.getOrDefault(chain.name(), Start.NOTHING);
      chains.add(
          new ChainSearch(
              model(problem, menu, chain, spread, start, parameters), shared, timeLimitReached));
    }
  }

  private static boolean isShared(Problem problem) {
    return problem.workload().chains().size() > 1;
  }

  /** What chains that run side by side share. */
  private static Pool.Shared shared(Problem problem, Menu menu) {
    if (!isShared(problem)) {
      return Pool.Shared.NOTHING;
    }
    Limits limits = problem.limits();
    boolean byOffer = !Double.isInfinite(limits.maxUsdPerHour()) || !limits.quotas().isEmpty();
    return byOffer && menu.rentals().size() > 1 ? Pool.Shared.OFFERS : Pool.Shared.INSTANCES;
  }

  /** Returns the model of one chain of a problem. */
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
    // Chains end independently of each other, and all must meet the deadline.
    double confidence =
        Math.pow(problem.limits().confidence(), 1.0 / problem.workload().chains().size());
    double clockUsdPerS = isShared(problem) ? 0 : problem.running().usdPerS();
    return new ChainModel(chain, menu, spreads, confidence, clockUsdPerS, start, parameters);
  }

  /** Adds a plan to the candidates, if all its allocations are on the menu. */
  void know(Plan plan) {
    for (ChainSearch chain : chains) {
      new Scorer(chain.model()).score(plan).ifPresent(chain.pool()::add);
    }
  }

  /** Searches for the fastest plans. */
  void hasten() {
    for (ChainSearch chain : chains) {
      caps().forEach(chain::hasten);
    }
  }

  /** Searches for the cheapest plans that take at most {@code deadlineS}. */
  void descend(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.descend(deadlineS, cap));
    }
  }

  /**
   * Searches for corners of the frontier of every chain with beam search, mainly around a deadline.
   */
  void sweep(double deadlineS) {
    for (ChainSearch chain : chains) {
      caps().forEach(cap -> chain.sweep(deadlineS, cap));
    }
  }

  /**
   * Runs greedy descents from the best known plans: less thorough than {@link #descend}, and much
   * faster.
   */
  void deepen(double deadlineS) {
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
  boolean exact(double fromS, double toS, long effort) {
    boolean all = true;
    for (ChainSearch chain : chains) {
      all &= chain.exact(fromS, toS, effort);
    }
    return all;
  }

  /**
   * Searches for the best split of instances among chains that run side by side ({@link Dealer}).
   */
  void deal(double deadlineS, long effort) {
    dealer().deal(deadlineS, effort);
  }

  private Dealer dealer() {
    return new Dealer(problem, chains, clockUsdPerS, parameters.combination());
  }

  /** Whether the bound for the exact search takes at most {@code steps} for every chain. */
  boolean isSmall(long steps) {
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

  /** Whether the cheapest plan of every chain for this deadline is proven optimal. */
  boolean isExact(double deadlineS) {
    return chains.stream().allMatch(chain -> chain.isExact(deadlineS));
  }

  /** Whether neither a shared limit nor a shared bill couples the chains under this deadline. */
  boolean isUncoupled(double deadlineS) {
    Joiner joiner = joiner();
    return joiner.join(pools(ChainSearch::pool), deadlineS).isPresent()
        && !joiner.isCoupled()
        && clockUsdPerS == 0;
  }

  /** Bounds the cost of the job without spread; {@code effort} is that of the exact search. */
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

  /** Returns dollars that no plan within the deadline costs less than, without spread. */
  double leastUsd(double deadlineS) {
    return chains.size() == 1
        ? chains.get(0).leastUsd(deadlineS)
        : dealer().leastUsd(deadlineS, shortestS());
  }

  /**
   * Returns mean dollars that no plan costs less than that meets the deadline with the required
   * confidence.
   */
  double surelyLeastUsd(double deadlineS) {
    double confidence = problem.limits().confidence();
    return chains.stream()
        .mapToDouble(chain -> new ChanceBound(chain.model(), confidence).leastUsd(deadlineS))
        .sum();
  }

  /** Returns least mean dollars of the work itself, regardless of time. */
  double workUsd() {
    return chains.stream().mapToDouble(chain -> LowerBound.workUsd(chain.model())).sum();
  }

  /**
   * Returns dollars of every unit at the lowest cost per unit, without start-up, boot or idle time.
   */
  double unitsUsd() {
    return chains.stream().mapToDouble(chain -> LowerBound.unitsUsd(chain.model())).sum();
  }

  /**
   * Returns seconds of every unit at the highest speed, with as many trials in parallel as
   * instances allow, without boot time.
   */
  double shortestS() {
    return chains.stream()
        .mapToDouble(chain -> LowerBound.shortestS(chain.model()))
        .max()
        .orElse(0);
  }

  /** Returns neighbors of a candidate, the first {@code most} in an order. */
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

  /** Returns the greedy steps that led to {@code outline}; empty if another search found it. */
  List<Step> stepsTo(Outline outline) {
    List<Step> steps = new ArrayList<>();
    for (int chain = 0; chain < chains.size(); chain++) {
      steps.addAll(chains.get(chain).stepsTo(outline.drafts().get(chain)));
    }
    return steps;
  }
}
