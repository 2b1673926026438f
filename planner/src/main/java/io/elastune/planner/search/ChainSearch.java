package io.elastune.planner.search;

import io.elastune.planner.api.GreedyStep;
import io.elastune.planner.model.CandidateOrder;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.model.TrialShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the searches for plans of one chain and stores the Pareto-optimal ones in pools. */
public final class ChainSearch {
  private final MeanValueModel model;
  private final List<OfferChoice> shortlist;
  private final BooleanSupplier timeLimitReached;
  private final GreedySearch greedySearch;
  private final StaticPlans staticPlans;
  private final CandidatePool candidatePool;
  private final CandidatePool staticPool;
  private final CandidatePool naivePool;
  private final List<GreedySearch.Descent> descents = new ArrayList<>();
  private final OptimalityProofs optimalityProofs;
  private @Nullable LagrangianBound lagrangianBound;

  /**
   * @param timeLimitReached whether the time limit is reached: searches then return the best plan
   *     so far
   */
  public ChainSearch(
      MeanValueModel model,
      CandidatePool.SharedResources sharedResources,
      BooleanSupplier timeLimitReached) {
    this.model = model;
    this.timeLimitReached = timeLimitReached;
    this.shortlist = OfferShortlist.of(model);
    this.candidatePool = new CandidatePool(sharedResources);
    this.optimalityProofs = new OptimalityProofs(candidatePool);
    this.staticPool = new CandidatePool(sharedResources);
    this.naivePool = new CandidatePool(sharedResources);
    this.greedySearch = new GreedySearch(model, candidatePool, timeLimitReached);
    this.staticPlans = new StaticPlans(model, greedySearch.scorer(), greedySearch.neighborMoves());
    for (StaticPlans.StaticAndElastic staticAndElastic : staticPlans.pairs()) {
      staticPool.add(staticAndElastic.held());
      candidatePool.add(staticAndElastic.elastic());
    }
    NaiveElastic.fill(naivePool, model, greedySearch.scorer());
    naivePool.all().items().forEach(candidatePool::add);
  }

  public MeanValueModel model() {
    return model;
  }

  public CandidatePool pool() {
    return candidatePool;
  }

  public CandidatePool staticPool() {
    return staticPool;
  }

  public CandidatePool naivePool() {
    return naivePool;
  }

  /** Whether the bound for the exact search takes at most {@code steps}. */
  public boolean isSmall(long steps) {
    return LagrangianBound.steps(model) <= steps;
  }

  /** Whether the cheapest plan of the pool for this deadline is proven optimal. */
  public boolean isExact(double deadlineS) {
    return isExact(deadlineS, Integer.MAX_VALUE);
  }

  /** The same for plans that hold at most {@code cap} instances at once. */
  public boolean isExact(double deadlineS, int cap) {
    return optimalityProofs.isExact(deadlineS, cap);
  }

  /**
   * Completes the frontier between two deadlines; returns false if that takes more than {@code
   * effort} steps.
   */
  public boolean searchExactly(double fromS, double toS, long effort) {
    return (isExact(fromS) && isExact(toS))
        || searchExactly(new LabelSettingSearch.SearchGoal(fromS, toS, Integer.MAX_VALUE), effort)
            >= 0;
  }

  /**
   * Completes the frontier for a goal; returns the effort that is left, negative if the goal was
   * not reached.
   */
  public long searchExactly(LabelSettingSearch.SearchGoal searchGoal, long effort) {
    ParetoFront<ChainCandidate> paretoFront = candidatePool.upTo(searchGoal.cap());
    LabelSettingSearch labelSettingSearch =
        new LabelSettingSearch(
            model, relaxation(), paretoFront, searchGoal, effort, timeLimitReached);
    boolean done = labelSettingSearch.search();
    paretoFront.items().forEach(candidatePool::add);
    if (!done) {
      return -1;
    }
    optimalityProofs.add(searchGoal);
    return labelSettingSearch.effortLeft();
  }

  /** Returns a lower bound, in USD, of the cost of every plan within the deadline. */
  public double leastUsd(double deadlineS) {
    return leastUsd(deadlineS, Integer.MAX_VALUE);
  }

  /** The same for plans that hold at most {@code cap} instances at once. */
  public double leastUsd(double deadlineS, int cap) {
    return optimalityProofs
        .leastUsd(deadlineS, cap)
        .orElseGet(() -> relaxation().leastUsd(deadlineS));
  }

  /** Bounds the cost of the chain without spread, starting from the plans that are known. */
  public SpreadFreeBound spreadFreeBound(MeanValueModel still, double deadlineS, long effort) {
    ParetoFront<ChainCandidate> known = new ParetoFront<>(ChainCandidate.BY_ALLOCATIONS);
    CandidateScorer candidateScorer = new CandidateScorer(still);
    for (ChainCandidate chainCandidate : candidatePool.all().items()) {
      known.add(candidateScorer.score(chainCandidate.sizeArray(), chainCandidate.instanceArray()));
    }
    TimePrices prices = TimePrices.forDeadline(still, known, deadlineS);
    double knownUsd =
        known
            .cheapestWithin(deadlineS)
            .map(ChainCandidate::costUsd)
            .orElse(Double.POSITIVE_INFINITY);
    LagrangianBound relaxed =
        new LagrangianBound(
            still,
            prices,
            knownUsd,
            deadlineS,
            model.parameters().labelSetting().guideBoundSteps(),
            timeLimitReached);
    LabelSettingSearch.SearchGoal atOnce =
        new LabelSettingSearch.SearchGoal(deadlineS, deadlineS, Integer.MAX_VALUE);
    boolean exact =
        relaxed.isSolved()
            && new LabelSettingSearch(still, relaxed, known, atOnce, effort, timeLimitReached)
                .search();
    return exact
        ? new SpreadFreeBound(
            known.cheapestWithin(deadlineS).map(ChainCandidate::costUsd).orElse(0.0), true)
        : new SpreadFreeBound(Math.min(knownUsd, relaxed.leastUsd(deadlineS)), false);
  }

  private LagrangianBound relaxation() {
    LagrangianBound known = lagrangianBound;
    if (known == null) {
      known =
          new LagrangianBound(
              model,
              TimePrices.forAllDeadlines(model),
              model.parameters().labelSetting().boundSteps(),
              timeLimitReached);
      lagrangianBound = known;
    }
    return known;
  }

  /** Searches for the fastest plan, one end of the frontier. */
  public void hasten(int cap) {
    Optional<ChainCandidate> start =
        staticPlans.pairs().stream()
            .map(StaticPlans.StaticAndElastic::elastic)
            .filter(chainCandidate -> chainCandidate.peak() <= cap)
            .min(CandidateOrder::faster);
    start.ifPresent(
        chainCandidate -> {
          OfferChoice offerChoice = chainCandidate.sizes().get(0).offerChoice();
          ChainCandidate fastest = greedySearch.hasten(chainCandidate, offerChoice::equals, cap);
          greedySearch.hasten(fastest, mixableOffers(Double.POSITIVE_INFINITY, cap), cap);
        });
  }

  /**
   * Searches for the cheapest plan within the deadline, from every start. Skips offers on which the
   * work alone costs more than a known plan.
   */
  public void descend(double deadlineS, int cap) {
    List<ChainCandidate> ends = new ArrayList<>();
    double knownUsd =
        candidatePool
            .cheapestWithin(deadlineS, cap)
            .map(ChainCandidate::costUsd)
            .orElse(Double.POSITIVE_INFINITY);
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      if (leastUsd(offerChoice) > knownUsd) {
        continue;
      }
      for (ChainCandidate start : starts(offerChoice, deadlineS, cap)) {
        ends.add(descend(start, deadlineS, offerChoice::equals, cap));
      }
    }
    if (ends.isEmpty()) {
      candidatePool.cheapestWithin(deadlineS, cap).ifPresent(ends::add);
    }
    if (model.choiceSet().offerChoices().size() > 1) {
      ends.sort(CandidateOrder::cheaper);
      Predicate<OfferChoice> allowed = mixableOffers(deadlineS, cap);
      ends.stream()
          .distinct()
          .limit(model.parameters().offerMixing().mixedStarts())
          .toList()
          .forEach(end -> descend(end, deadlineS, allowed, cap));
    }
  }

  /** Least dollars of all work on one offer. */
  private double leastUsd(OfferChoice offerChoice) {
    double sumUsd = 0;
    for (int group = 0; group < model.groups(); group++) {
      double leastUsd = Double.POSITIVE_INFINITY;
      for (TrialShape trialShape : model.sizesOf(offerChoice.index())) {
        leastUsd = Math.min(leastUsd, model.leastUsd(group, trialShape));
      }
      sumUsd += leastUsd;
    }
    return sumUsd;
  }

  /** Searches for corners of the frontier's convex hull, mainly around a deadline. */
  public void beamSearch(double deadlineS, int cap) {
    new FrontierHull(
            new BeamSearch(model, greedySearch.neighborMoves(), candidatePool, timeLimitReached),
            shortlist,
            cap,
            model.parameters().beam())
        .explore(deadlineS);
  }

  /** Searches for the cheapest plan within the deadline, starting from the best known plan. */
  public void deepen(double deadlineS, int cap) {
    candidatePool
        .cheapestWithin(deadlineS, cap)
        .ifPresent(start -> descend(start, deadlineS, mixableOffers(deadlineS, cap), cap));
  }

  /** Returns the neighbors of a plan. */
  public Stream<ChainCandidate> neighbors(
      ChainCandidate base, int cap, NeighborLimits neighborLimits) {
    return greedySearch.neighborsOf(
        base, mixableOffers(Double.POSITIVE_INFINITY, cap), cap, neighborLimits);
  }

  private ChainCandidate descend(
      ChainCandidate start, double deadlineS, Predicate<OfferChoice> allowed, int cap) {
    GreedySearch.Descent descent = greedySearch.descend(start, deadlineS, allowed, cap);
    descents.add(descent);
    return descent.end();
  }

  /** Returns the cheapest and the largest static cluster of one offer that meet the deadline. */
  private Set<ChainCandidate> starts(OfferChoice offerChoice, double deadlineS, int cap) {
    List<StaticPlans.StaticAndElastic> feasible =
        staticPlans.pairs().stream()
            .filter(
                staticAndElastic ->
                    staticAndElastic.offerChoice().equals(offerChoice)
                        && staticAndElastic.instances() <= cap)
            .filter(
                staticAndElastic ->
                    staticAndElastic.elastic().completionS() <= deadlineS + TimeAndCost.TOLERANCE)
            .toList();
    Set<ChainCandidate> starts = new HashSet<>();
    feasible.stream()
        .min((a, b) -> CandidateOrder.cheaper(a.held(), b.held()))
        .ifPresent(staticAndElastic -> starts.add(staticAndElastic.elastic()));
    feasible.stream()
        .max(Comparator.comparingInt(StaticPlans.StaticAndElastic::instances))
        .ifPresent(staticAndElastic -> starts.add(staticAndElastic.elastic()));
    return starts;
  }

  /** Returns the few offers with the cheapest single-offer plans. */
  private Predicate<OfferChoice> mixableOffers(double deadlineS, int cap) {
    Set<OfferChoice> best = new HashSet<>();
    descents.stream()
        .map(GreedySearch.Descent::end)
        .filter(end -> end.completionS() <= deadlineS + TimeAndCost.TOLERANCE && end.peak() <= cap)
        .sorted(CandidateOrder::cheaper)
        .flatMap(end -> end.sizes().stream().map(TrialShape::offerChoice))
        .filter(offerChoice -> best.size() < model.parameters().offerMixing().mixedOffers())
        .forEach(best::add);
    staticPlans.pairs().stream()
        .map(StaticPlans.StaticAndElastic::elastic)
        .min(CandidateOrder::faster)
        .ifPresent(fastest -> best.add(fastest.sizes().get(0).offerChoice()));
    // Other offers may suit some groups even if no plan on them alone meets the deadline.
    shortlist.stream()
        .filter(offerChoice -> best.size() < model.parameters().offerMixing().mixedOffers())
        .forEach(best::add);
    return best::contains;
  }

  /**
   * Returns the steps of the greedy descent that ended in {@code chainCandidate}; empty if another
   * search found it.
   */
  public List<GreedyStep> stepsTo(ChainCandidate chainCandidate) {
    List<GreedyStep> greedySteps = new ArrayList<>();
    Optional<GreedySearch.Descent> last = endingIn(chainCandidate);
    while (last.isPresent() && greedySteps.size() < 1_000) {
      greedySteps.addAll(0, last.get().steps());
      ChainCandidate start = last.get().start();
      last = last.get().steps().isEmpty() ? Optional.empty() : endingIn(start);
    }
    return greedySteps;
  }

  private Optional<GreedySearch.Descent> endingIn(ChainCandidate chainCandidate) {
    return descents.stream()
        .filter(descent -> descent.end().equals(chainCandidate) && !descent.steps().isEmpty())
        .findFirst();
  }
}
