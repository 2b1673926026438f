package io.elastune.executor.replan;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.planner.PoolPlans;
import io.elastune.planner.PoolReplanner;
import io.elastune.planner.RungReplanner;
import io.elastune.planner.api.PoolForecast;
import io.elastune.planner.api.RunSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Re-plans a run all of whose trials share instances: those of several chains, or of a search made
 * of rungs. Compares the present plan with others on the same offer.
 */
final class SharedPoolReplanner {
  private static final double SAME_S = 1e-3;

  private final ReplanRequest request;
  private final Plan current;
  private final double deadlineS;
  private final String offer;
  private final PoolPlans planner;

  private SharedPoolReplanner(
      ReplanRequest request, Plan current, String offer, PoolPlans planner) {
    this.request = request;
    this.current = current;
    this.deadlineS = request.deadlineS().orElse(Double.POSITIVE_INFINITY);
    this.offer = offer;
    this.planner = planner;
  }

  /**
   * Creates a re-planner of chains.
   *
   * @param problem the offers and profiles as the run knows them now
   * @param current the present allocations
   */
  static SharedPoolReplanner ofChains(ReplanRequest request, Problem problem, Plan current) {
    String offer = offer(request);
    return new SharedPoolReplanner(
        request, current, offer, new PoolReplanner(problem, snapshot(request), offer));
  }

  /**
   * Creates a re-planner of a search made of rungs.
   *
   * @param plan the approved plan
   * @param moves whether tasks may move to fewer instances when no new trial starts
   */
  static SharedPoolReplanner ofRungs(
      ReplanRequest request, Problem problem, Plan plan, boolean moves) {
    Map<String, Allocation> allocations = new TreeMap<>(plan.allocations());
    request.chains().forEach(chain -> allocations.putAll(chain.allocations()));
    String offer = offer(request);
    return new SharedPoolReplanner(
        request,
        new Plan(false, allocations),
        offer,
        new RungReplanner(problem, snapshot(request), request.rungs().orElseThrow(), offer, moves));
  }

  private static String offer(ReplanRequest request) {
    return request.chains().get(0).allocation().offer();
  }

  private static RunSnapshot snapshot(ReplanRequest request) {
    List<RunSnapshot.ChainSnapshot> chains = new ArrayList<>();
    for (ReplanRequest.ChainProgress chain : request.chains()) {
      List<TrialGroup> left = new ArrayList<>(List.of(chain.underWay()));
      left.addAll(chain.later());
      // All chains have the same instances.
      List<RunSnapshot.InstanceSnapshot> held =
          chains.isEmpty() ? RemainingWork.held(chain) : List.of();
      chains.add(new RunSnapshot.ChainSnapshot(chain.name(), left, held));
    }
    return new RunSnapshot(request.atS(), request.settledUsd(), chains);
  }

  /**
   * Returns the forecast of the present plan, and the best other one.
   *
   * @param reservedUsd the highest cost of another plan
   */
  ReplanResponse replan(OptionalDouble reservedUsd) {
    boolean canGoOn = request.chains().stream().anyMatch(ReplanRequest.ChainProgress::canGoOn);
    // A run that cannot continue with its plan may use the whole budget.
    double budgetUsd =
        (canGoOn ? reservedUsd : request.budgetUsd()).orElse(Double.POSITIVE_INFINITY);
    double wholeUsd = request.budgetUsd().orElse(Double.POSITIVE_INFINITY);
    Optional<Prediction> stay =
        canGoOn
            ? planner.outlook(current).map(forecast -> prediction(forecast, wholeUsd))
            : Optional.empty();
    List<ReplanResponse.Move> moves =
        planner.alternatives(current, request.refused().contains(offer)).stream()
            .map(
                forecast ->
                    new ReplanResponse.Move(
                        prediction(forecast, budgetUsd), forecast.plan().allocations()))
            .toList();
    return new ReplanResponse(stay, best(moves, stay));
  }

  private Prediction prediction(PoolForecast forecast, double budgetUsd) {
    return new Prediction(
        Double.isFinite(deadlineS) ? forecast.safeS() : forecast.meanS(),
        forecast.costUsd(),
        DeadlineOutlook.of(forecast.safeS(), forecast.meanS(), deadlineS),
        forecast.costUsd() <= budgetUsd);
  }

  /**
   * The plan that meets most limits: of several the cheapest, or the fastest if the deadline is not
   * certain. If it cannot be met, the cheapest that ends no later than the present plan.
   */
  private Optional<ReplanResponse.Move> best(
      List<ReplanResponse.Move> moves, Optional<Prediction> stay) {
    boolean isTimed = !Double.isFinite(deadlineS) && request.budgetUsd().isPresent();
    Comparator<ReplanResponse.Move> order = MoveOrder.of(isTimed);
    Optional<ReplanResponse.Move> best = moves.stream().max(order);
    boolean isLate = best.filter(it -> it.prediction().hope() == DeadlineOutlook.LATE).isPresent();
    return isLate && stay.isPresent()
        ? moves.stream()
            .filter(move -> move.prediction().completionS() <= stay.get().completionS() + SAME_S)
            .max(order)
            .or(() -> best)
        : best;
  }
}
