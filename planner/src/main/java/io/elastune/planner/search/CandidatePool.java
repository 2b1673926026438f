package io.elastune.planner.search;

import io.elastune.planner.model.CandidateOrder;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.TrialShape;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Stores the Pareto-optimal plans of one chain. Where chains share instances, it has one Pareto set
 * for each number of instances held at the peak; where they also share dollars per hour or quotas,
 * a further one for the plans on each offer alone.
 */
public final class CandidatePool {
  /** Marks plans on several offers, and all plans where their offers do not matter. */
  private static final int MIXED = -1;

  private final TreeMap<Long, ParetoFront<ChainCandidate>> byKind = new TreeMap<>();
  private final SharedResources sharedResources;
  private final ParetoFront<ChainCandidate> any = new ParetoFront<>(ChainCandidate.BY_ALLOCATIONS);

  /** What chains share with each other. */
  public enum SharedResources {
    NOTHING,
    INSTANCES,
    /** Instances, and their hourly cost or use of quotas, by offer. */
    OFFERS
  }

  public CandidatePool(SharedResources sharedResources) {
    this.sharedResources = sharedResources;
  }

  private ParetoFront<ChainCandidate> front(int peak, int offerChoice) {
    return sharedResources == SharedResources.NOTHING
        ? any
        : byKind.computeIfAbsent(
            kind(peak, offerChoice), key -> new ParetoFront<>(ChainCandidate.BY_ALLOCATIONS));
  }

  /** Key of a Pareto set; keys are in the order of peaks. */
  private static long kind(int peak, int offerChoice) {
    return ((long) peak << Integer.SIZE) + offerChoice - MIXED;
  }

  public void add(ChainCandidate chainCandidate) {
    front(chainCandidate.peak(), offerChoice(chainCandidate.sizeArray())).add(chainCandidate);
  }

  /** The only offer of a plan, where that matters. */
  private int offerChoice(TrialShape[] trialShapes) {
    if (sharedResources != SharedResources.OFFERS) {
      return MIXED;
    }
    int only = trialShapes[0].offerChoice().index();
    for (TrialShape trialShape : trialShapes) {
      only = trialShape.offerChoice().index() == only ? only : MIXED;
    }
    return only;
  }

  /** Whether a plan may belong to the Pareto set. */
  boolean accepts(double completionS, double costUsd) {
    return sharedResources != SharedResources.NOTHING || any.accepts(completionS, costUsd);
  }

  /** Stores the plan just scored, if it belongs to a Pareto set. */
  void addIfBetter(TrialShape[] trialShapes, int[] instances, CandidateScorer candidateScorer) {
    int peak = 0;
    for (int count : instances) {
      peak = Math.max(peak, count);
    }
    ParetoFront<ChainCandidate> paretoFront = front(peak, offerChoice(trialShapes));
    if (paretoFront.accepts(candidateScorer.completionS(), candidateScorer.costUsd())) {
      paretoFront.add(candidateScorer.candidate(trialShapes, instances));
    }
  }

  /**
   * Returns the cheapest plan that takes at most {@code deadlineS} and holds at most {@code cap}
   * instances at once.
   */
  public Optional<ChainCandidate> cheapestWithin(double deadlineS, int cap) {
    return fronts(cap).stream()
        .flatMap(paretoFront -> paretoFront.cheapestWithin(deadlineS).stream())
        .min(CandidateOrder::cheaper);
  }

  /**
   * Returns the cheapest plan of each Pareto set, within {@code deadlineS} and at most {@code cap}
   * instances at once.
   */
  public List<ChainCandidate> cheapestOfEachKind(double deadlineS, int cap) {
    return fronts(cap).stream()
        .flatMap(paretoFront -> paretoFront.cheapestWithin(deadlineS).stream())
        .toList();
  }

  /** Returns the Pareto set of all plans. */
  public ParetoFront<ChainCandidate> all() {
    return upTo(Integer.MAX_VALUE);
  }

  /** Returns the Pareto set of the plans that hold at most {@code cap} instances at once. */
  ParetoFront<ChainCandidate> upTo(int cap) {
    ParetoFront<ChainCandidate> all = new ParetoFront<>(ChainCandidate.BY_ALLOCATIONS);
    fronts(cap).forEach(paretoFront -> all.addAll(paretoFront.items()));
    return all;
  }

  /** Returns the completion times of all stored plans. */
  public DoubleStream completionsS() {
    return fronts(Integer.MAX_VALUE).stream()
        .flatMapToDouble(
            paretoFront -> paretoFront.items().stream().mapToDouble(ChainCandidate::completionS));
  }

  private List<ParetoFront<ChainCandidate>> fronts(int cap) {
    return sharedResources == SharedResources.NOTHING
        ? List.of(any)
        : List.copyOf(byKind.headMap(kind(cap, Integer.MAX_VALUE), true).values());
  }
}
