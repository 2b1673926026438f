package io.elastune.planner.pool;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.timeline.PoolPlacement;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.TrialShape;
import io.elastune.planner.result.WorkBounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Searches plans whose chains share instances, with mean durations: for each number of instances a
 * local search over the GPUs per trial of each group (docs/searches.md, "Shared instances").
 */
public final class PoolSearch implements WorkBounds {
  /** Numbers of instances up to which each is tried; above, their ratio. */
  private static final int DENSE_UP_TO = 12;

  private static final double SPARSE_RATIO = 1.2;

  /** Part of a lower bound that rounding may add to it. */
  private static final double ROUNDING = 1e-9;

  private final Problem problem;
  private final ChoiceSet choiceSet;
  private final PoolModel model;
  private final BooleanSupplier timeLimitReached;
  private final PlanProgress progress;
  private final ParetoFront<PoolCandidate> front =
      new ParetoFront<>(Comparator.comparingInt(PoolCandidate::instances));
  private final Map<Pool, Map<List<Integer>, PoolCandidate>> evaluated = new HashMap<>();

  /** The instances of a plan. */
  private record Pool(OfferChoice offer, int instances) {}

  public PoolSearch(
      Problem problem,
      ChoiceSet choiceSet,
      BooleanSupplier timeLimitReached,
      PlanProgress progress) {
    this.progress = progress;
    this.problem = problem;
    this.choiceSet = choiceSet;
    this.model = new PoolModel(problem);
    this.timeLimitReached = timeLimitReached;
  }

  /** Returns all candidates found so far that no other dominates. */
  public ParetoFront<PoolCandidate> front() {
    return front;
  }

  /** Returns the offers that can hold a trial on one instance. */
  public List<OfferChoice> offers() {
    return choiceSet.offerChoices().stream().filter(offer -> !sizes(offer).isEmpty()).toList();
  }

  /**
   * Returns the GPUs per trial that are legal on an offer, without those of which as many larger
   * and faster trials fit on an instance. A trial never uses two instances.
   */
  public List<Integer> sizes(OfferChoice offer) {
    List<Integer> legal = legalSizes(offer);
    return legal.stream()
        .filter(gpus -> legal.stream().noneMatch(other -> isDominated(offer, gpus, other)))
        .toList();
  }

  private static boolean isDominated(OfferChoice offer, int gpus, int other) {
    int perInstance = offer.offer().gpus();
    return other > gpus
        && perInstance / other == perInstance / gpus
        && offer.profile().secondsPerUnit(other).orElseThrow()
            <= offer.profile().secondsPerUnit(gpus).orElseThrow();
  }

  private List<Integer> legalSizes(OfferChoice offer) {
    return choiceSet.trialShapes().stream()
        .filter(shape -> shape.offerChoice().equals(offer) && shape.trialsPerGpu() == 1)
        .map(TrialShape::gpusPerTrial)
        .filter(gpus -> gpus <= Math.min(offer.offer().gpus(), PoolPlacement.MOST_GPUS))
        .sorted()
        .toList();
  }

  /**
   * Searches for the cheapest plan within {@code deadlineS}: local optima, of which the best are
   * annealed.
   *
   * @param deadlineS infinite for none; 0 to find the fastest plan
   * @param seeds plans with separate instances, whose GPUs per trial are starts of the search
   * @param annealed the number of local optima, of all offers and numbers of instances
   */
  public void searchWithin(double deadlineS, List<Plan> seeds, int annealed) {
    List<PoolDescent> optima =
        descendWithin(deadlineS, seeds).stream()
            .sorted(Comparator.comparingDouble(PoolDescent::leastEnergy))
            .limit(annealed)
            .toList();
    for (int i = 0; i < optima.size(); i++) {
      progress.at("local optima", i, optima.size());
      optima.get(i).anneal();
    }
  }

  /**
   * Finds local optima alone, which fill the frontier.
   *
   * @param deadlineS infinite for none
   */
  public void searchRoughly(double deadlineS, List<Plan> seeds) {
    descendWithin(deadlineS, seeds);
  }

  /** Returns the searches, each at a local optimum. */
  private List<PoolDescent> descendWithin(double deadlineS, List<Plan> seeds) {
    List<PoolDescent> found = new ArrayList<>();
    List<OfferChoice> cheapestFirst = new ArrayList<>(offers());
    cheapestFirst.sort(Comparator.comparingDouble(offer -> model.leastUsd(offer, sizes(offer), 1)));
    int done = 0;
    for (OfferChoice offer : cheapestFirst) {
      progress.at("offers", done++, cheapestFirst.size());
      List<List<Integer>> starts = starts(offer, seeds);
      List<Integer> narrow = equal(sizes(offer).get(0));
      List<Integer> widths = narrow;
      for (int instances : counts(offer)) {
        if (!timeLimitReached.getAsBoolean() && mayImprove(offer, instances, deadlineS)) {
          PoolDescent descent = descent(offer, instances, deadlineS);
          descent.descend(narrow);
          descent.descend(widths);
          starts.stream()
              .map(descent::evaluated)
              .min(descent::compare)
              .ifPresent(best -> descent.descend(best.gpus()));
          widths = descent.best().gpus();
          found.add(descent);
        }
      }
    }
    return found;
  }

  /** Whether some plan with these instances may be better than all plans so far, by its bounds. */
  private boolean mayImprove(OfferChoice offer, int instances, double deadlineS) {
    double least = 1 - ROUNDING;
    double usd = least * model.leastUsd(offer, sizes(offer), instances);
    double workS = model.leastGpuS(offer, sizes(offer)) / (instances * offer.offer().gpus());
    double endS = least * (offer.readyAfterS() + Math.max(longestPathS(offer), workS));
    boolean isLimited = deadlineS > 0 && deadlineS < Double.POSITIVE_INFINITY;
    boolean isBeaten =
        isLimited
            && front.cheapestWithin(deadlineS).filter(best -> usd > best.costUsd()).isPresent();
    return !isBeaten && front.accepts(endS, usd);
  }

  private List<List<Integer>> starts(OfferChoice offer, List<Plan> plans) {
    List<Integer> sizes = sizes(offer);
    return plans.stream()
        .map(
            plan ->
                problem.workload().groups().stream()
                    .map(group -> nearest(sizes, plan.of(group).gpusPerTrial()))
                    .toList())
        .distinct()
        .toList();
  }

  private static int nearest(List<Integer> sizes, int gpus) {
    return sizes.stream().min(Comparator.comparingInt(size -> Math.abs(size - gpus))).orElseThrow();
  }

  private PoolDescent descent(OfferChoice offer, int instances, double deadlineS) {
    return new PoolDescent(
        problem.workload(),
        sizes(offer),
        deadlineS,
        widths -> evaluated(offer, instances, widths),
        timeLimitReached);
  }

  /** Searches for several deadlines, and annealing, meet most plans more than once. */
  private PoolCandidate evaluated(OfferChoice offer, int instances, List<Integer> widths) {
    Map<List<Integer>, PoolCandidate> known =
        evaluated.computeIfAbsent(new Pool(offer, instances), pool -> new HashMap<>());
    PoolCandidate before = known.get(widths);
    if (before != null) {
      return before;
    }
    PoolCandidate candidate = model.evaluate(offer, instances, widths, false);
    known.put(candidate.gpus(), candidate);
    front.add(candidate);
    return candidate;
  }

  /** Returns the plans that hold so many instances to the end, the fastest first. */
  public List<PoolCandidate> heldOn(OfferChoice offer, int instances) {
    Map<List<Integer>, PoolCandidate> found = new LinkedHashMap<>();
    PoolDescent descent =
        new PoolDescent(
            problem.workload(),
            sizes(offer),
            0,
            widths ->
                found.computeIfAbsent(widths, key -> model.evaluate(offer, instances, key, true)),
            timeLimitReached);
    descent.descend(equal(sizes(offer).get(0)));
    descent.anneal();
    return found.values().stream()
        .sorted(Comparator.comparingDouble(PoolCandidate::completionS))
        .toList();
  }

  /** Returns plans that hold all their instances to the end. */
  public List<PoolCandidate> statics() {
    List<PoolCandidate> all = new ArrayList<>();
    for (OfferChoice offer : offers()) {
      for (int instances : counts(offer)) {
        for (int gpus : sizes(offer)) {
          all.add(model.evaluate(offer, instances, equal(gpus), true));
        }
      }
    }
    return all;
  }

  /** Returns a lower bound of the mean cost of any plan in USD. */
  @Override
  public double leastUsd() {
    return offers().stream()
        .mapToDouble(offer -> model.leastUsd(offer, sizes(offer), 1))
        .min()
        .orElse(0);
  }

  /** Returns a lower bound of the mean completion time of any plan in seconds. */
  @Override
  public double shortestS() {
    return offers().stream()
        .mapToDouble(offer -> offer.readyAfterS() + longestPathS(offer))
        .min()
        .orElse(0);
  }

  private double longestPathS(OfferChoice offer) {
    List<Integer> sizes = sizes(offer);
    return problem.workload().chains().stream()
        .mapToDouble(
            chain ->
                chain.groups().stream()
                    .mapToDouble(
                        group ->
                            sizes.stream()
                                .mapToDouble(gpus -> PoolModel.taskS(offer, group, gpus))
                                .min()
                                .orElseThrow())
                    .sum())
        .max()
        .orElse(0);
  }

  private List<Integer> equal(int gpus) {
    return Collections.nCopies(problem.workload().groups().size(), gpus);
  }

  private List<Integer> counts(OfferChoice offer) {
    List<Integer> sizes = sizes(offer);
    int most = model.mostInstances(offer, equal(sizes.get(sizes.size() - 1)));
    List<Integer> counts = new ArrayList<>();
    for (int count = 1; count < most; ) {
      counts.add(count);
      count = Math.max(count + 1, (int) (count < DENSE_UP_TO ? 0 : count * SPARSE_RATIO));
    }
    counts.add(most);
    return counts;
  }
}
