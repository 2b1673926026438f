package io.elastune.planner.pool;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.sampled.PlanKind;
import io.elastune.planner.sampled.WorkBounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The plans of chains that share instances (docs/searches.md, "Shared instances"). They are found
 * with mean durations, for each number of instances by a local search over the GPUs per trial of
 * each group: annealing compares thousands of plans, where descents end at plans that cost up to 3
 * % more.
 */
public final class PoolChoices implements PlanKind<PoolCandidate> {
  /** Local optima, of all offers and numbers of instances, at which the searches continue. */
  private static final int MOST_ANNEALED = 4;

  /** Numbers of instances up to which each is tried; above, their ratio. */
  private static final int DENSE_UP_TO = 12;

  private static final double SPARSE_RATIO = 1.2;

  /** Part of a lower bound that rounding may add to it. */
  private static final double ROUNDING = 1e-9;

  private static final Comparator<PoolCandidate> INSTANCES =
      Comparator.comparingInt(PoolCandidate::instances);

  private final PlannerInputs inputs;
  private final Problem problem;
  private final ChoiceSet choiceSet;
  private final List<Plan> seeds;
  private final List<Baseline> baselines;
  private final PoolModel model;
  private final WorkBounds work;
  private final ParetoFront<PoolCandidate> front = new ParetoFront<>(INSTANCES);
  private final Map<Pool, Map<List<Integer>, PoolCandidate>> evaluated = new HashMap<>();

  /** The instances of a plan. */
  private record Pool(OfferChoice offer, int instances) {}

  /**
   * @param seeds plans with separate instances, whose GPUs per trial are starts of the search
   * @param baselines plans to compare with
   */
  public PoolChoices(PlannerInputs inputs, List<Plan> seeds, List<Baseline> baselines) {
    this.inputs = inputs;
    this.problem = inputs.problem();
    this.seeds = seeds;
    this.baselines = baselines;
    this.choiceSet = ChoiceSet.of(withOneChain(problem));
    this.model = new PoolModel(problem);
    this.work =
        new WorkBounds(
            problem.workload().chains().stream().map(Chain::groups).toList(),
            choiceSet.trialShapes().stream()
                .filter(
                    shape ->
                        shape.trialsPerGpu() == 1
                            && sizes(shape.offerChoice()).contains(shape.gpusPerTrial()))
                .toList(),
            true,
            !problem.keepAlive());
  }

  /** A pool needs one instance, where separate chains need one each. */
  public static Problem withOneChain(Problem problem) {
    Chain all = new Chain("", problem.workload().groups());
    return problem.withWorkload(new Workload(List.of(all)));
  }

  @Override
  public ChoiceSet choiceSet() {
    return choiceSet;
  }

  @Override
  public String refusal() {
    return "no offer has a measured size of a trial that fits on one of its instances, which shared"
        + " instances need";
  }

  @Override
  public Plan plan(PoolCandidate candidate, boolean hold) {
    return candidate.plan(problem.workload().groups(), hold);
  }

  /** Plans are improved with mean durations alone. */
  @Override
  public List<PoolCandidate> neighbors(PoolCandidate from, int part) {
    return List.of();
  }

  @Override
  public List<Baseline> baselines() {
    return baselines;
  }

  @Override
  public String remark(boolean isBestOfAll) {
    return "found step by step, because chains that share instances depend on each"
        + " other; the bound counts only the work and one boot";
  }

  /** Returns all candidates found so far that no other dominates. */
  public ParetoFront<PoolCandidate> front() {
    return front;
  }

  /** Returns the offers that can hold a trial on one instance. */
  public List<OfferChoice> offers() {
    return choiceSet.offerChoices().stream().filter(offer -> !sizes(offer).isEmpty()).toList();
  }

  /** Returns the GPUs per trial to choose from on an offer. */
  public List<Integer> sizes(OfferChoice offer) {
    return sizes(choiceSet, offer);
  }

  /**
   * Returns the GPUs per trial that are legal on an offer, without those of which as many larger
   * and faster trials fit on an instance. A trial never uses two instances.
   */
  static List<Integer> sizes(ChoiceSet choiceSet, OfferChoice offer) {
    List<Integer> legal =
        choiceSet.sizes(offer).stream()
            .filter(gpus -> gpus <= SlotCounts.MOST_SHARED_GPUS)
            .toList();
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

  /**
   * Searches for the deadline of the job, and where durations vary also for the one at which a
   * sampled plan just meets it.
   */
  @Override
  public Optional<CandidateSet> modeled(PlanEvaluator evaluator) {
    double deadlineS = problem.limits().deadlineOrInfinityS();
    boolean varies = choiceSet.offerChoices().stream().anyMatch(OfferChoice::varies);
    descendWithin(Double.POSITIVE_INFINITY);
    if (!PlanSelector.minimizesCost(problem.limits())) {
      searchWithin(0, MOST_ANNEALED);
    } else if (!varies || deadlineS == Double.POSITIVE_INFINITY) {
      searchWithin(deadlineS, MOST_ANNEALED);
    } else {
      // How much later a sampled plan ends differs by plan: both searches find plans between them.
      searchWithin(deadlineS, MOST_ANNEALED / 2);
      searchWithin(modelDeadlineS(deadlineS, evaluator), MOST_ANNEALED / 2);
    }
    return Optional.of(
        CandidateSet.of(front, candidate -> plan(candidate, false), problem.limits()));
  }

  /** The completion time for mean durations at which a sampled plan just meets the deadline. */
  private double modelDeadlineS(double deadlineS, PlanEvaluator evaluator) {
    Optional<PoolCandidate> near = front.cheapestWithin(deadlineS);
    return near.map(it -> evaluator.evaluateForComparison(plan(it, false)).safeS())
        .map(safeS -> deadlineS * near.get().completionS() / safeS)
        .orElse(deadlineS);
  }

  /**
   * Searches for the cheapest plan within {@code deadlineS}: local optima, of which the best are
   * annealed.
   *
   * @param deadlineS infinite for none; 0 to find the fastest plan
   * @param annealed the number of local optima, of all offers and numbers of instances
   */
  public void searchWithin(double deadlineS, int annealed) {
    List<PoolDescent> optima =
        descendWithin(deadlineS).stream()
            .sorted(Comparator.comparingDouble(PoolDescent::leastEnergy))
            .limit(annealed)
            .toList();
    for (int i = 0; i < optima.size(); i++) {
      inputs.progress().at("local optima", i, optima.size());
      optima.get(i).anneal();
    }
  }

  /**
   * Finds local optima, which fill the frontier.
   *
   * @param deadlineS infinite for none
   * @return the searches, each at a local optimum
   */
  public List<PoolDescent> descendWithin(double deadlineS) {
    List<PoolDescent> found = new ArrayList<>();
    List<OfferChoice> cheapestFirst = new ArrayList<>(offers());
    cheapestFirst.sort(Comparator.comparingDouble(offer -> leastUsd(offer, 1)));
    int done = 0;
    for (OfferChoice offer : cheapestFirst) {
      inputs.progress().at("offers", done++, cheapestFirst.size());
      List<List<Integer>> starts = starts(offer);
      List<Integer> narrow = equal(sizes(offer).get(0));
      List<Integer> widths = narrow;
      for (int instances : counts(offer)) {
        if (!inputs.isOver() && mayImprove(offer, instances, deadlineS)) {
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
    double usd = (1 - ROUNDING) * leastUsd(offer, instances);
    double endS = (1 - ROUNDING) * shortestS(offer, instances);
    boolean isLimited = deadlineS > 0 && deadlineS < Double.POSITIVE_INFINITY;
    boolean isBeaten =
        isLimited
            && front.cheapestWithin(deadlineS).filter(best -> usd > best.costUsd()).isPresent();
    return !isBeaten && front.accepts(endS, usd);
  }

  /** The work and the boots, as none is released before it is ready. */
  private double leastUsd(OfferChoice offer, int instances) {
    double gpuS = work.gpuS(offer);
    return gpuS * offer.usdPerS() / offer.offer().gpus() + instances * offer.newInstanceUsd();
  }

  private double shortestS(OfferChoice offer, int instances) {
    return offer.readyAfterS() + work.trainingS(offer, instances);
  }

  @Override
  public Bounds<PoolCandidate> bounds() {
    return new Bounds<>(
        cluster -> shortestS(cluster.offer(), cluster.instances()),
        cluster -> leastUsd(cluster.offer(), cluster.instances()),
        least(offer -> shortestS(offer, Integer.MAX_VALUE)),
        least(offer -> leastUsd(offer, 1)));
  }

  private double least(ToDoubleFunction<OfferChoice> value) {
    return offers().stream().mapToDouble(value).min().orElse(0);
  }

  private List<List<Integer>> starts(OfferChoice offer) {
    List<Integer> sizes = sizes(offer);
    return seeds.stream()
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
        inputs.timeLimitReached());
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
            inputs.timeLimitReached());
    descent.descend(equal(sizes(offer).get(0)));
    descent.anneal();
    return found.values().stream()
        .sorted(Comparator.comparingDouble(PoolCandidate::completionS))
        .toList();
  }

  /** Returns those with one size for all groups that no other one beats with mean durations. */
  @Override
  public List<List<PoolCandidate>> statics() {
    ParetoFront<PoolCandidate> held = new ParetoFront<>(INSTANCES);
    for (OfferChoice offer : offers()) {
      for (int instances : counts(offer)) {
        for (int gpus : sizes(offer)) {
          held.add(model.evaluate(offer, instances, equal(gpus), true));
        }
      }
    }
    return List.of(held.items());
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
