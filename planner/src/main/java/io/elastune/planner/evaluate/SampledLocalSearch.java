package io.elastune.planner.evaluate;

import io.elastune.core.plan.Plan;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.search.NeighborLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Improves a plan by sampling its neighbors. Corrects errors of the mean-value model ({@link
 * MeanValueModel}): evaluates the neighbors that the model considers better, or almost as good.
 */
final class SampledLocalSearch {
  private static final Comparator<LocalMove> BY_COST =
      Comparator.comparingDouble(localMove -> localMove.verdict().costUsd());

  private final JobSearch search;
  private final PlanEvaluator planEvaluator;
  private final SearchParameters.LocalSearch parameters;
  private final double deadlineS;
  private final int widePlans;
  private final List<Plan> found = new ArrayList<>();

  SampledLocalSearch(
      JobSearch search,
      PlanEvaluator planEvaluator,
      SearchParameters.LocalSearch parameters,
      double deadlineS) {
    this.parameters = parameters;
    this.search = search;
    this.planEvaluator = planEvaluator;
    this.deadlineS = deadlineS;
    this.widePlans = parameters.wideTrials() / planEvaluator.screeningTrials();
  }

  /**
   * Returns the plans found that meet all limits; in small jobs also those that more samples may
   * confirm.
   */
  List<Plan> foundPlans() {
    return found;
  }

  /**
   * Lowers the cost of a plan that meets the limits.
   *
   * @param front the frontier of the search
   */
  Evaluation reduceCost(JobCandidate from, Evaluation evaluation, List<JobCandidate> front) {
    LocalMove best = reduceCost(new LocalMove(from, evaluation));
    for (int round = 0; round < parameters.rounds(); round++) {
      Optional<LocalMove> next = searchFurther(best, front);
      if (next.isEmpty()) {
        break;
      }
      best = reduceCost(next.get());
    }
    return best.verdict();
  }

  /** Moves from one plan to the next for as long as the cost falls. */
  private LocalMove reduceCost(LocalMove from) {
    LocalMove best = from;
    for (int round = 0; round < parameters.rounds(); round++) {
      JobCandidate at = best.outline();
      double highestUsd = at.costUsd() * (1 + parameters.modelErrorRatio() / 2);
      Optional<LocalMove> next =
          cheaper(
              best,
              search.neighbors(
                  at,
                  new NeighborLimits(lateS(best) * (1 + parameters.modelErrorRatio()), highestUsd),
                  Comparator.comparingDouble(JobCandidate::costUsd),
                  parameters.neighbors()));
      if (next.isEmpty()) {
        return best;
      }
      best = next.get();
    }
    return best;
  }

  /**
   * Samples the neighbors of other plans of the frontier too: where the model ranks plans wrongly,
   * a better one may be far from the best so far, and near the best plan for another deadline. In
   * small jobs everything near the frontier is sampled, so that no deadline gets a worse result
   * than a stricter one.
   */
  private Optional<LocalMove> searchFurther(LocalMove best, List<JobCandidate> front) {
    double costUsd = best.outline().costUsd();
    double lateS = lateS(best);
    NeighborLimits neighborLimits =
        new NeighborLimits(
            lateS * (1 + parameters.wideErrorRatio()),
            costUsd * (1 + parameters.wideErrorRatio()),
            true);
    List<JobCandidate> others =
        front.stream()
            .filter(at -> at.costUsd() <= neighborLimits.maxUsd() && !at.equals(best.outline()))
            .sorted(Comparator.comparingDouble(at -> Math.abs(at.costUsd() - costUsd)))
            .toList();
    Comparator<JobCandidate> nearer =
        Comparator.comparingDouble(
            at -> Math.max(at.costUsd() / costUsd, at.completionS() / lateS));
    return cheaper(best, neighborsOf(others, neighborLimits, nearer));
  }

  /** Returns the neighbors of some plans, as many as may be sampled; none in large jobs. */
  private List<JobCandidate> neighborsOf(
      List<JobCandidate> origins, NeighborLimits neighborLimits, Comparator<JobCandidate> order) {
    if (widePlans < parameters.wideLeastPlans()) {
      return List.of();
    }
    return origins.stream()
        .limit(widePlans / parameters.widePlansPerOrigin())
        .flatMap(
            at ->
                Stream.concat(
                    Stream.of(at), search.neighbors(at, neighborLimits, order, widePlans).stream()))
        .distinct()
        .sorted(order)
        .limit(widePlans)
        .toList();
  }

  /** The deadline in the mean-value model, corrected by the error of the model for this plan. */
  private double lateS(LocalMove at) {
    return at.outline().completionS() * Math.max(1, deadlineS / at.verdict().safeS());
  }

  /**
   * Returns the cheapest of some plans that meets the limits and costs less than the best so far.
   */
  private Optional<LocalMove> cheaper(LocalMove best, List<JobCandidate> near) {
    double mostUsd =
        planEvaluator.evaluateQuickly(best.verdict().plan()).costUsd()
            * (1 - parameters.savingRatio());
    double glanceUsd =
        planEvaluator.glanceUsd(best.verdict().plan()) * (1 + parameters.screeningErrorRatio());
    // Equal samples of two plans have the same random numbers, so that few show which costs less.
    List<JobCandidate> cheapestFirst =
        near.stream()
            .filter(at -> !costsMoreByFar(at, best.verdict().plan()))
            .map(at -> new Glance(at, planEvaluator.glanceUsd(search.plan(at, false))))
            .filter(glance -> glance.usd() < glanceUsd)
            .sorted(Comparator.comparingDouble(Glance::usd))
            .map(Glance::candidate)
            .toList();
    return firstConfirmed(
        promising(cheapestFirst).filter(move -> move.verdict().costUsd() < mostUsd));
  }

  /** Whether the first samples of a candidate suffice to reject it. */
  private boolean costsMoreByFar(JobCandidate candidate, Plan than) {
    return planEvaluator.isWorseByFar(
        search.plan(candidate, false), than, Objective.CHEAPER::values);
  }

  /**
   * Searches the neighbors of a plan that met the limits by few samples, and fails by more, for the
   * cheapest that meets them.
   */
  void findReplacement(JobCandidate from) {
    Comparator<JobCandidate> safer =
        Comparator.comparing((JobCandidate jobCandidate) -> jobCandidate.costUsd() < from.costUsd())
            .thenComparingDouble(JobCandidate::costUsd);
    List<JobCandidate> near =
        search.neighbors(
            from,
            new NeighborLimits(
                from.completionS() * (1 + parameters.rankErrorRatio()), Double.POSITIVE_INFINITY),
            safer,
            parameters.neighbors());
    firstConfirmed(promising(near).sorted(BY_COST));
  }

  /**
   * Searches the neighbors of a plan that just misses the deadline, and then further around, for
   * one that meets it.
   */
  Optional<Evaluation> findFeasible(JobCandidate from, List<JobCandidate> front) {
    double lateS = Math.max(deadlineS, from.completionS());
    NeighborLimits neighborLimits =
        new NeighborLimits(
            lateS * (1 + parameters.wideErrorRatio()), Double.POSITIVE_INFINITY, true);
    return accelerated(from)
        .or(
            () ->
                firstConfirmed(
                    promising(
                            neighborsOf(
                                front,
                                neighborLimits,
                                Comparator.comparingDouble(JobCandidate::completionS)))
                        .sorted(BY_COST)))
        .map(localMove -> reduceCost(localMove.outline(), localMove.verdict(), front));
  }

  private Optional<LocalMove> accelerated(JobCandidate from) {
    JobCandidate at = from;
    for (int round = 0; round < parameters.rounds(); round++) {
      double nowS = planEvaluator.evaluateQuickly(search.plan(at, false)).safeS();
      List<JobCandidate> near =
          search.neighbors(
              at,
              new NeighborLimits(
                  at.completionS() * (1 + parameters.rankErrorRatio()), Double.POSITIVE_INFINITY),
              Comparator.comparingDouble(JobCandidate::completionS),
              parameters.neighbors());
      Comparator<LocalMove> earlier =
          Comparator.comparingDouble(localMove -> localMove.verdict().safeS());
      Optional<LocalMove> kept = firstConfirmed(promising(near).sorted(earlier));
      if (kept.isPresent()) {
        return kept;
      }
      Optional<LocalMove> next =
          near.stream()
              .map(this::evaluated)
              .filter(localMove -> localMove.verdict().safeS() < nowS)
              .min(earlier);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get().outline();
    }
    return Optional.empty();
  }

  /** A candidate and its mean cost by the screening samples. */
  private record Glance(JobCandidate candidate, double usd) {}

  /** A candidate and its evaluation. */
  private record LocalMove(JobCandidate outline, Evaluation verdict) {}

  /** Returns the candidates that may meet all limits by few samples. */
  private Stream<LocalMove> promising(List<JobCandidate> near) {
    return near.stream()
        .map(this::evaluated)
        .filter(move -> planEvaluator.mayMeetAllLimits(move.verdict()));
  }

  /** Returns the first of the candidates that many samples confirm. */
  private Optional<LocalMove> firstConfirmed(Stream<LocalMove> promising) {
    return promising
        .limit(parameters.confirmedPlans())
        .filter(localMove -> isConfirmed(localMove.verdict().plan()))
        .findFirst()
        .map(
            localMove ->
                new LocalMove(
                    localMove.outline(),
                    planEvaluator.evaluateForComparison(localMove.verdict().plan())));
  }

  private boolean isConfirmed(Plan plan) {
    Evaluation full = planEvaluator.evaluateForComparison(plan);
    boolean kept = planEvaluator.meetsAllLimits(full);
    if (kept
        || (widePlans >= parameters.wideLeastPlans() && planEvaluator.mayMeetAllLimits(full))) {
      found.add(plan);
    }
    return kept;
  }

  private LocalMove evaluated(JobCandidate candidate) {
    return new LocalMove(candidate, planEvaluator.evaluateQuickly(search.plan(candidate, false)));
  }
}
