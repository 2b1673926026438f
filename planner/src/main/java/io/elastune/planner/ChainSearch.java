package io.elastune.planner;

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
final class ChainSearch {
  private final ChainModel model;
  private final List<Rental> shortlist;
  private final BooleanSupplier timeLimitReached;
  private final Greedy greedy;
  private final Statics statics;
  private final Pool pool;
  private final Pool staticPool;
  private final Pool naivePool;
  private final List<Greedy.Descent> descents = new ArrayList<>();
  private final Proofs proofs;
  private @Nullable Relaxation relaxation;

  /**
   * @param timeLimitReached whether the time limit is reached: searches then return the best plan
   *     so far
   */
  ChainSearch(ChainModel model, Pool.Shared shared, BooleanSupplier timeLimitReached) {
    this.model = model;
    this.timeLimitReached = timeLimitReached;
    this.shortlist = Shortlist.of(model);
    this.pool = new Pool(shared);
    this.proofs = new Proofs(pool);
    this.staticPool = new Pool(shared);
    this.naivePool = new Pool(shared);
    this.greedy = new Greedy(model, pool, timeLimitReached);
    this.statics = new Statics(model, greedy.scorer(), greedy.neighbours());
    for (Statics.Pair pair : statics.pairs()) {
      staticPool.add(pair.held());
      pool.add(pair.elastic());
    }
    NaiveElastic.fill(naivePool, model, greedy.scorer());
    naivePool.all().items().forEach(pool::add);
  }

  ChainModel model() {
    return model;
  }

  Pool pool() {
    return pool;
  }

  Pool staticPool() {
    return staticPool;
  }

  Pool naivePool() {
    return naivePool;
  }

  /** Whether the bound for the exact search takes at most {@code steps}. */
  boolean isSmall(long steps) {
    return Relaxation.steps(model) <= steps;
  }

  /** Whether the cheapest plan of the pool for this deadline is proven optimal. */
  boolean isExact(double deadlineS) {
    return isExact(deadlineS, Integer.MAX_VALUE);
  }

  /** The same for plans that hold at most {@code cap} instances at once. */
  boolean isExact(double deadlineS, int cap) {
    return proofs.isExact(deadlineS, cap);
  }

  /**
   * Completes the frontier between two deadlines; returns false if that takes more than {@code
   * effort} steps.
   */
  boolean exact(double fromS, double toS, long effort) {
    return (isExact(fromS) && isExact(toS))
        || exact(new Exact.Goal(fromS, toS, Integer.MAX_VALUE), effort) >= 0;
  }

  /**
   * Completes the frontier for a goal; returns the effort that is left, negative if the goal was
   * not reached.
   */
  long exact(Exact.Goal goal, long effort) {
    Front<Draft> front = pool.upTo(goal.cap());
    Exact exact = new Exact(model, relaxation(), front, goal, effort, timeLimitReached);
    boolean done = exact.search();
    front.items().forEach(pool::add);
    if (!done) {
      return -1;
    }
    proofs.add(goal);
    return exact.effortLeft();
  }

  /** Returns dollars that no plan within the deadline costs less than. */
  double leastUsd(double deadlineS) {
    return leastUsd(deadlineS, Integer.MAX_VALUE);
  }

  /** The same for plans that hold at most {@code cap} instances at once. */
  double leastUsd(double deadlineS, int cap) {
    return proofs.leastUsd(deadlineS, cap).orElseGet(() -> relaxation().leastUsd(deadlineS));
  }

  /** Bounds the cost of the chain without spread, starting from the plans that are known. */
  Guide guide(ChainModel still, double deadlineS, long effort) {
    Front<Draft> known = new Front<>(Draft.SMALLER);
    Scorer scorer = new Scorer(still);
    for (Draft draft : pool.all().items()) {
      known.add(scorer.score(draft.sizeArray(), draft.instanceArray()));
    }
    TimePrices prices = TimePrices.near(still, known, deadlineS);
    double knownUsd =
        known.cheapestBy(deadlineS).map(Draft::costUsd).orElse(Double.POSITIVE_INFINITY);
    Relaxation relaxed =
        new Relaxation(
            still,
            prices,
            knownUsd,
            deadlineS,
            model.parameters().labelSetting().guideBoundSteps(),
            timeLimitReached);
    Exact.Goal atOnce = new Exact.Goal(deadlineS, deadlineS, Integer.MAX_VALUE);
    boolean exact =
        relaxed.isSolved()
            && new Exact(still, relaxed, known, atOnce, effort, timeLimitReached).search();
    return exact
        ? new Guide(known.cheapestBy(deadlineS).map(Draft::costUsd).orElse(0.0), true)
        : new Guide(Math.min(knownUsd, relaxed.leastUsd(deadlineS)), false);
  }

  private Relaxation relaxation() {
    Relaxation known = relaxation;
    if (known == null) {
      known =
          new Relaxation(
              model,
              TimePrices.wide(model),
              model.parameters().labelSetting().boundSteps(),
              timeLimitReached);
      relaxation = known;
    }
    return known;
  }

  /** Searches for the fastest plan, one end of the frontier. */
  void hasten(int cap) {
    Optional<Draft> start =
        statics.pairs().stream()
            .map(Statics.Pair::elastic)
            .filter(draft -> draft.peak() <= cap)
            .min(Chooser::faster);
    start.ifPresent(
        draft -> {
          Rental rental = draft.sizes().get(0).rental();
          Draft fastest = greedy.hasten(draft, rental::equals, cap);
          greedy.hasten(fastest, mixableOffers(Double.POSITIVE_INFINITY, cap), cap);
        });
  }

  /**
   * Searches for the cheapest plan within the deadline, from every start. Skips rentals on which
   * the work alone costs more than a known plan.
   */
  void descend(double deadlineS, int cap) {
    List<Draft> ends = new ArrayList<>();
    double knownUsd =
        pool.cheapestBy(deadlineS, cap).map(Draft::costUsd).orElse(Double.POSITIVE_INFINITY);
    for (Rental rental : model.menu().rentals()) {
      if (leastUsd(rental) > knownUsd) {
        continue;
      }
      for (Draft start : starts(rental, deadlineS, cap)) {
        ends.add(descend(start, deadlineS, rental::equals, cap));
      }
    }
    if (ends.isEmpty()) {
      pool.cheapestBy(deadlineS, cap).ifPresent(ends::add);
    }
    if (model.menu().rentals().size() > 1) {
      ends.sort(Chooser::cheaper);
      Predicate<Rental> allowed = mixableOffers(deadlineS, cap);
      ends.stream()
          .distinct()
          .limit(model.parameters().offerMixing().mixedStarts())
          .toList()
          .forEach(end -> descend(end, deadlineS, allowed, cap));
    }
  }

  /** Least dollars of all work on one rental. */
  private double leastUsd(Rental rental) {
    double sumUsd = 0;
    for (int group = 0; group < model.groups(); group++) {
      double leastUsd = Double.POSITIVE_INFINITY;
      for (Size size : model.sizesOf(rental.index())) {
        leastUsd = Math.min(leastUsd, model.leastUsd(group, size));
      }
      sumUsd += leastUsd;
    }
    return sumUsd;
  }

  /** Searches for corners of the frontier's convex hull, mainly around a deadline. */
  void sweep(double deadlineS, int cap) {
    new Hull(
            new Sweep(model, greedy.neighbours(), pool, timeLimitReached),
            shortlist,
            cap,
            model.parameters().beam())
        .explore(deadlineS);
  }

  /** Searches for the cheapest plan within the deadline, starting from the best known plan. */
  void deepen(double deadlineS, int cap) {
    pool.cheapestBy(deadlineS, cap)
        .ifPresent(start -> descend(start, deadlineS, mixableOffers(deadlineS, cap), cap));
  }

  /** Returns the neighbors of a plan. */
  Stream<Draft> around(Draft base, int cap, Reach reach) {
    return greedy.around(base, mixableOffers(Double.POSITIVE_INFINITY, cap), cap, reach);
  }

  private Draft descend(Draft start, double deadlineS, Predicate<Rental> allowed, int cap) {
    Greedy.Descent descent = greedy.descend(start, deadlineS, allowed, cap);
    descents.add(descent);
    return descent.end();
  }

  /** Returns the cheapest and the largest static cluster of one offer that meet the deadline. */
  private Set<Draft> starts(Rental rental, double deadlineS, int cap) {
    List<Statics.Pair> feasible =
        statics.pairs().stream()
            .filter(pair -> pair.rental().equals(rental) && pair.instances() <= cap)
            .filter(pair -> pair.elastic().completionS() <= deadlineS + Timed.SAME)
            .toList();
    Set<Draft> starts = new HashSet<>();
    feasible.stream()
        .min((a, b) -> Chooser.cheaper(a.held(), b.held()))
        .ifPresent(pair -> starts.add(pair.elastic()));
    feasible.stream()
        .max(Comparator.comparingInt(Statics.Pair::instances))
        .ifPresent(pair -> starts.add(pair.elastic()));
    return starts;
  }

  /** Returns the few offers with the cheapest single-offer plans. */
  private Predicate<Rental> mixableOffers(double deadlineS, int cap) {
    Set<Rental> best = new HashSet<>();
    descents.stream()
        .map(Greedy.Descent::end)
        .filter(end -> end.completionS() <= deadlineS + Timed.SAME && end.peak() <= cap)
        .sorted(Chooser::cheaper)
        .flatMap(end -> end.sizes().stream().map(Size::rental))
        .filter(rental -> best.size() < model.parameters().offerMixing().mixedOffers())
        .forEach(best::add);
    statics.pairs().stream()
        .map(Statics.Pair::elastic)
        .min(Chooser::faster)
        .ifPresent(fastest -> best.add(fastest.sizes().get(0).rental()));
    // Other offers may suit some groups even if no plan on them alone meets the deadline.
    shortlist.stream()
        .filter(rental -> best.size() < model.parameters().offerMixing().mixedOffers())
        .forEach(best::add);
    return best::contains;
  }

  /**
   * Returns the steps of the greedy descent that ended in {@code draft}; empty if another search
   * found it.
   */
  List<Step> stepsTo(Draft draft) {
    List<Step> steps = new ArrayList<>();
    Optional<Greedy.Descent> last = endingIn(draft);
    while (last.isPresent() && steps.size() < 1_000) {
      steps.addAll(0, last.get().steps());
      Draft start = last.get().start();
      last = last.get().steps().isEmpty() ? Optional.empty() : endingIn(start);
    }
    return steps;
  }

  private Optional<Greedy.Descent> endingIn(Draft draft) {
    return descents.stream()
        .filter(descent -> descent.end().equals(draft) && !descent.steps().isEmpty())
        .findFirst();
  }
}
