package io.elastune.executor.replan;

import static io.elastune.core.job.Preference.Rule.CHEAPEST;
import static io.elastune.core.job.Preference.Rule.FASTEST;

import io.elastune.core.job.Preference;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungState;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.planner.api.PoolForecast;
import io.elastune.planner.api.PoolPlans;
import io.elastune.planner.api.PreferenceOrder;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.pool.PoolReplanner;
import io.elastune.planner.rung.RungReplanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

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
  private final boolean moves;

  private SharedPoolReplanner(
      ReplanRequest request, Plan current, String offer, PoolPlans planner, boolean moves) {
    this.request = request;
    this.current = current;
    this.deadlineS = request.deadlineS().orElse(Double.POSITIVE_INFINITY);
    this.offer = offer;
    this.planner = planner;
    this.moves = moves;
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
        request,
        current,
        offer,
        new PoolReplanner(problem, snapshot(request), present(request), offer),
        false);
  }

  /**
   * Creates a re-planner of a search made of rungs.
   *
   * @param current the present allocations
   * @param moves whether tasks may move to fewer instances when no new trial starts
   */
  static SharedPoolReplanner ofRungs(
      ReplanRequest request, Problem problem, Plan current, boolean moves) {
    RungProgress progress = request.rungs().orElseThrow();
    String offer = offer(request);
    return new SharedPoolReplanner(
        request,
        current,
        offer,
        new RungReplanner(problem, snapshot(request), progress, offer, moves),
        moves && progress.state().phase() != RungState.Phase.OPEN);
  }

  private static String offer(ReplanRequest request) {
    return request.chains().get(0).allocation().offer();
  }

  /** Runs that earlier builds have started request plans without the trials one by one. */
  private static List<PresentGroup> present(ReplanRequest request) {
    return request.chains().stream()
        .map(chain -> chain.present().orElseGet(() -> PresentGroup.waiting(chain.underWay())))
        .toList();
  }

  private static RunSnapshot snapshot(ReplanRequest request) {
    List<RunSnapshot.ChainSnapshot> chains = new ArrayList<>();
    for (ReplanRequest.ChainProgress chain : request.chains()) {
      List<TrialGroup> left = new ArrayList<>(List.of(chain.underWay()));
      left.addAll(chain.later());
      // All chains have the same instances.
      List<RentedInstance> held = chains.isEmpty() ? chain.held() : List.of();
      chains.add(new RunSnapshot.ChainSnapshot(chain.name(), left, held));
    }
    return new RunSnapshot(request.atS(), request.settledUsd(), chains);
  }

  /**
   * Returns the forecast of the present plan, and the best other one.
   *
   * @param reservedUsd the highest cost of another plan
   * @param preference which of the plans that meet the limits is the best
   */
  ReplanResponse replan(OptionalDouble reservedUsd, Optional<Preference> preference) {
    boolean canGoOn = request.chains().stream().anyMatch(ReplanRequest.ChainProgress::canGoOn);
    // A run that cannot continue with its plan may use the whole budget.
    double budgetUsd =
        (canGoOn ? reservedUsd : request.budgetUsd()).orElse(Double.POSITIVE_INFINITY);
    double wholeUsd = request.budgetUsd().orElse(Double.POSITIVE_INFINITY);
    Optional<Prediction> stay =
        canGoOn
            ? planner.outlook(current).map(forecast -> prediction(forecast, wholeUsd))
            : Optional.empty();
    List<ReplanResponse.Move> others =
        planner.alternatives(current, request.refused().contains(offer)).stream()
            .map(
                forecast ->
                    new ReplanResponse.Move(
                        prediction(forecast, budgetUsd), forecast.plan().allocations()))
            .toList();
    return new ReplanResponse(
        stay, preferred(others, preference).or(() -> best(others, stay, preference)));
  }

  private Prediction prediction(PoolForecast forecast, double budgetUsd) {
    return new Prediction(
        Double.isFinite(deadlineS) ? forecast.safeS() : forecast.meanS(),
        forecast.costUsd(),
        DeadlineOutlook.of(forecast.safeS(), forecast.meanS(), deadlineS),
        forecast.costUsd() <= budgetUsd);
  }

  /** Whether a plan moves tasks to save costs. */
  private boolean movesTasks(ReplanResponse.Move move) {
    int held = request.chains().get(0).held().size();
    return moves && closing(move.allocations()) < Math.min(closing(current.allocations()), held);
  }

  private static int closing(Map<String, Allocation> allocations) {
    return Optional.ofNullable(allocations.get(Workload.CLOSING)).orElseThrow().instances();
  }

  /** Whether a plan ends earlier by more than the error of the predictions. */
  private boolean isEarlier(ReplanResponse.Move move, Prediction stay) {
    double leastS =
        ReplanResponse.MIN_GAIN_FRACTION * Math.max(0, stay.completionS() - request.atS());
    return stay.completionS() - move.prediction().completionS() > leastS;
  }

  /**
   * The preferred plan of those that meet all limits; empty if there is none, and if the preference
   * is that of {@link #best}.
   */
  private Optional<ReplanResponse.Move> preferred(
      List<ReplanResponse.Move> others, Optional<Preference> preference) {
    List<ReplanResponse.Move> meeting =
        others.stream()
            .filter(move -> move.prediction().inBudget())
            .filter(move -> move.prediction().hope() == DeadlineOutlook.ON_TIME)
            .toList();
    return preference
        .filter(it -> !meeting.isEmpty())
        .filter(it -> it.rule() != (isTimed(preference) ? FASTEST : CHEAPEST))
        .map(
            it ->
                new PreferenceOrder<ReplanResponse.Move>(
                        move -> move.prediction().completionS(),
                        move -> move.prediction().costUsd(),
                        it,
                        Double.isFinite(deadlineS))
                    .of(meeting)
                    .get(0));
  }

  /** Whether time counts and not cost. */
  private boolean isTimed(Optional<Preference> preference) {
    return preference
        .map(it -> it.rule() == FASTEST)
        .orElseGet(() -> !Double.isFinite(deadlineS) && request.budgetUsd().isPresent());
  }

  /**
   * The plan that meets most limits: of several the cheapest, or the fastest if the deadline is not
   * certain. If it cannot be met, the cheapest that ends no later than the present plan. Without a
   * deadline, the fastest; if none is faster than the present plan, the cheapest that moves tasks.
   */
  private Optional<ReplanResponse.Move> best(
      List<ReplanResponse.Move> others,
      Optional<Prediction> stay,
      Optional<Preference> preference) {
    boolean isTimed = isTimed(preference);
    Comparator<ReplanResponse.Move> order = MoveOrder.of(isTimed);
    Optional<ReplanResponse.Move> best = others.stream().max(order);
    boolean isCovered = stay.filter(Prediction::inBudget).isPresent();
    if (isTimed && isCovered && best.filter(it -> isEarlier(it, stay.get())).isEmpty()) {
      return others.stream().filter(this::movesTasks).max(MoveOrder.of(false)).or(() -> best);
    }
    boolean isLate = best.filter(it -> it.prediction().hope() == DeadlineOutlook.LATE).isPresent();
    return isLate && stay.isPresent()
        ? others.stream()
            .filter(move -> move.prediction().completionS() <= stay.get().completionS() + SAME_S)
            .max(order)
            .or(() -> best)
        : best;
  }
}
