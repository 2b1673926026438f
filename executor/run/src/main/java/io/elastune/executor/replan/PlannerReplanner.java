package io.elastune.executor.replan;

import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.LimitsBuilder;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import io.elastune.planner.Replanner;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.RestPlans;
import io.elastune.planner.api.RunSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Re-plans a run with the planner: compares the present plan with other plans for the groups after
 * those in progress. If none meets the limits, it also considers moving the trials of the groups in
 * progress.
 */
public final class PlannerReplanner implements ReplanService {
  /**
   * The fraction of the unplanned budget that a new plan may not use: more problems may follow, and
   * a run that stops at its budget is worse than a late one.
   */
  private static final double RESERVE = 0.5;

  private final RunDefinition definition;
  private final RunDefinition.Planning planning;
  private final BiFunction<Problem, RunSnapshot, RestPlans> groupPlans;

  /** Creates a service for a run with {@code definition}. */
  public PlannerReplanner(RunDefinition definition) {
    this(definition, Replanner::new);
  }

  /**
   * Creates a service that forecasts chains with instances of their own in another way.
   *
   * @param groupPlans returns the plans for such a rest of the run
   */
  public PlannerReplanner(
      RunDefinition definition, BiFunction<Problem, RunSnapshot, RestPlans> groupPlans) {
    this.definition = definition;
    this.groupPlans = groupPlans;
    this.planning =
        definition
            .planning()
            .orElseThrow(
                () -> new IllegalArgumentException("the definition has no inputs for re-planning"));
  }

  @Override
  public ReplanResponse replan(ReplanRequest replanRequest) {
    return definition.plan().shared() || replanRequest.rungs().isPresent()
        ? replanShared(replanRequest)
        : replanGroups(replanRequest);
  }

  private ReplanResponse replanShared(ReplanRequest replanRequest) {
    Problem problem = problem(replanRequest, replanRequest.budgetUsd(), List.of());
    boolean moves = definition.rungChanges().filter(RungChanges.PLACES::equals).isPresent();
    Plan current = plan(replanRequest);
    SharedRest rest =
        replanRequest.rungs().isPresent()
            ? SharedRest.ofRungs(replanRequest, problem, current, moves)
            : SharedRest.ofChains(replanRequest, problem, current);
    boolean canGoOn =
        replanRequest.chains().stream().anyMatch(ReplanRequest.ChainProgress::canGoOn);
    Optional<Prediction> stay =
        canGoOn
            ? rest.plans()
                .outlook(current)
                .map(it -> prediction(replanRequest, 0, 0, it, whole(replanRequest)))
            : Optional.empty();
    PlanBudget budget = ofOthers(budget(replanRequest, canGoOn), stay);
    List<Move> others =
        rest.plans().alternatives(current).stream()
            .map(
                it ->
                    new Move(prediction(replanRequest, 0, 0, it, budget), it.plan().allocations()))
            .toList();
    MoveSelection selection = new MoveSelection(replanRequest, planning.prefer(), rest::movesTasks);
    Optional<Move> best = selection.best(others, stay);
    return stay.isPresent() && best.filter(PlannerReplanner::isLate).isPresent()
        ? new ReplanResponse(
            stay, selection.bestNoLater(others, stay.get(), List.of()).or(() -> best))
        : new ReplanResponse(stay, best);
  }

  private ReplanResponse replanGroups(ReplanRequest replanRequest) {
    RemainingWork later = RemainingWork.later(replanRequest, definition);
    Plan current = plan(replanRequest);
    boolean canGoOn =
        replanRequest.chains().stream().allMatch(ReplanRequest.ChainProgress::canGoOn);
    PlanBudget limit = budget(replanRequest, canGoOn);
    Optional<RestPlans> plans = plans(replanRequest, later, limit);
    Optional<Prediction> stay =
        canGoOn ? stay(replanRequest, later, plans, current) : Optional.empty();
    PlanBudget budget = ofOthers(limit, stay);
    List<Move> moves = canGoOn ? moves(replanRequest, later, plans, current, budget) : List.of();
    List<Move> all = new ArrayList<>(moves);
    if (Stream.concat(stay.stream(), moves.stream().map(Move::prediction))
        .noneMatch(PlannerReplanner::keepsAll)) {
      RemainingWork atOnce = RemainingWork.atOnce(replanRequest, definition);
      moves(replanRequest, atOnce, plans(replanRequest, atOnce, budget), current, budget).stream()
          .filter(move -> !canGoOn || touches(replanRequest, move))
          .forEach(all::add);
    }
    MoveSelection selection = new MoveSelection(replanRequest, planning.prefer(), move -> false);
    Optional<Move> best = selection.best(all, stay);
    if (stay.isEmpty() || best.filter(PlannerReplanner::isLate).isEmpty()) {
      return new ReplanResponse(stay, best);
    }
    List<Move> approved = approved(replanRequest, later, plans, current, budget).stream().toList();
    return new ReplanResponse(
        stay,
        selection
            .bestNoLater(
                Stream.concat(moves.stream(), approved.stream()).toList(), stay.get(), approved)
            .or(() -> best));
  }

  private static PlanBudget whole(ReplanRequest replanRequest) {
    return PlanBudget.whole(replanRequest.budgetUsd().orElse(Double.POSITIVE_INFINITY));
  }

  /** A run that cannot continue with its plan may use the whole budget. */
  private PlanBudget budget(ReplanRequest replanRequest, boolean canGoOn) {
    return canGoOn ? reserved(replanRequest) : whole(replanRequest);
  }

  private static PlanBudget ofOthers(PlanBudget limit, Optional<Prediction> stay) {
    return stay.map(it -> limit.orAsMuchAs(it.costUsd())).orElse(limit);
  }

  /** Returns the plans for a rest; empty if nothing can be re-planned. */
  private Optional<RestPlans> plans(
      ReplanRequest replanRequest, RemainingWork remainingWork, PlanBudget budget) {
    OptionalDouble mostUsd =
        replanRequest.budgetUsd().isPresent()
            ? OptionalDouble.of(budget.mostUsd())
            : OptionalDouble.empty();
    return remainingWork
        .standing()
        .map(
            snapshot ->
                groupPlans.apply(
                    problem(replanRequest, mostUsd, shortages(replanRequest)), snapshot));
  }

  private List<Move> moves(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Optional<RestPlans> plans,
      Plan current,
      PlanBudget budget) {
    return plans.map(it -> it.alternatives(current)).orElse(List.of()).stream()
        .map(forecast -> move(replanRequest, remainingWork, forecast, budget))
        .toList();
  }

  private static boolean isLate(Move move) {
    return move.prediction().hope() == DeadlineOutlook.LATE;
  }

  /** If the deadline cannot be met: the approved plan for later groups, if they have another. */
  private Optional<Move> approved(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Optional<RestPlans> plans,
      Plan current,
      PlanBudget budget) {
    Map<String, Allocation> allocations = new TreeMap<>(current.allocations());
    for (ReplanRequest.ChainProgress chainProgress : replanRequest.chains()) {
      for (TrialGroup group : chainProgress.later()) {
        allocations.put(group.name(), definition.plan().of(group));
      }
    }
    if (allocations.equals(current.allocations())) {
      return Optional.empty();
    }
    Plan approved = new Plan(false, allocations);
    return plans
        .filter(it -> it.allows(approved)) // it may need more instances than are held
        .flatMap(it -> it.outlook(approved))
        .map(forecast -> move(replanRequest, remainingWork, forecast, budget));
  }

  private Move move(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      PlanForecast forecast,
      PlanBudget budget) {
    return new Move(
        prediction(replanRequest, remainingWork, forecast, budget), forecast.plan().allocations());
  }

  private static boolean keepsAll(Prediction prediction) {
    return prediction.hope() == DeadlineOutlook.ON_TIME && prediction.inBudget();
  }

  private static Plan plan(ReplanRequest replanRequest) {
    Map<String, Allocation> allocations = new TreeMap<>();
    replanRequest
        .chains()
        .forEach(chainProgress -> allocations.putAll(chainProgress.allocations()));
    return new Plan(false, allocations);
  }

  /** Whether a new plan changes the allocation of a group in progress. */
  private static boolean touches(ReplanRequest replanRequest, Move move) {
    return replanRequest.chains().stream()
        .anyMatch(
            chainProgress ->
                !chainProgress
                    .allocation()
                    .equals(move.allocations().get(chainProgress.underWay().name())));
  }

  /** The highest cost of a new plan that costs more than the present one: it leaves a reserve. */
  private PlanBudget reserved(ReplanRequest replanRequest) {
    if (replanRequest.budgetUsd().isEmpty()) {
      return whole(replanRequest);
    }
    double budget = replanRequest.budgetUsd().getAsDouble();
    double planned =
        definition.forecasts().values().stream().mapToDouble(RunDefinition.Forecast::usd).sum();
    return new PlanBudget(budget, budget - RESERVE * Math.max(0, budget - planned));
  }

  private Optional<Prediction> stay(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Optional<RestPlans> plans,
      Plan current) {
    return plans.isEmpty()
        ? Optional.of(
            remainingWork.predictionWithoutReplanning(
                replanRequest.deadlineS(), replanRequest.budgetUsd(), confidence()))
        : plans
            .get()
            .outlook(current)
            .map(
                forecast ->
                    prediction(replanRequest, remainingWork, forecast, whole(replanRequest)));
  }

  private double confidence() {
    return planning.limits().confidence();
  }

  private Prediction prediction(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      PlanForecast forecast,
      PlanBudget budget) {
    return prediction(
        replanRequest,
        remainingWork.otherSafeS(confidence()),
        remainingWork.otherS(),
        forecast,
        budget);
  }

  /**
   * @param otherSafeS when the chains end that are not re-planned, with the required confidence
   * @param otherS the same in the mean
   */
  private static Prediction prediction(
      ReplanRequest replanRequest,
      double otherSafeS,
      double otherS,
      PlanForecast forecast,
      PlanBudget budget) {
    double safeS = Math.max(otherSafeS, forecast.safeS());
    double meanS = Math.max(otherS, forecast.meanS());
    return new Prediction(
        replanRequest.deadlineS().isPresent() ? safeS : meanS,
        forecast.costUsd(),
        DeadlineOutlook.of(
            safeS, meanS, replanRequest.deadlineS().orElse(Double.POSITIVE_INFINITY)),
        budget.covers(forecast));
  }

  private Problem problem(
      ReplanRequest replanRequest, OptionalDouble budgetUsd, List<Quota> shortages) {
    Map<String, Profile> profiles = new TreeMap<>();
    planning
        .profiles()
        .forEach(
            (gpu, one) ->
                profiles.put(
                    gpu,
                    one.withSlowdown(replanRequest.pace())
                        .withStartupShift(replanRequest.startupShiftS())));
    return new Problem(
            definition.workload(),
            definition.offers().values().stream()
                .map(offer -> CurrentOffer.of(replanRequest, offer))
                .toList(),
            profiles,
            planning.gpusPerTrial(),
            LimitsBuilder.builder(planning.limits())
                .deadlineS(replanRequest.deadlineS())
                .budgetUsd(budgetUsd)
                .build()
                .withQuotas(shortages),
            definition.running(),
            planning.seed())
        .withSilence(silence())
        .withKeepAlive(definition.keepAlive());
  }

  /** The user's limit of hung attempts, which is the same in all groups. */
  private SilenceLimit silence() {
    return definition.hangLimits().values().stream()
        .findFirst()
        .map(limit -> new SilenceLimit(limit.silenceS()))
        .orElse(SilenceLimit.PREDICTED);
  }

  /** Limits each refused offer to the number of instances that are held. */
  private static List<Quota> shortages(ReplanRequest replanRequest) {
    return replanRequest.refused().stream()
        .map(
            offer ->
                new Quota("unavailable", "instances", held(replanRequest, offer), Map.of(offer, 1)))
        .toList();
  }

  private static int held(ReplanRequest replanRequest, String offer) {
    return (int)
        replanRequest.chains().stream()
            .flatMap(chainProgress -> chainProgress.held().stream())
            .filter(rentedInstance -> rentedInstance.offer().equals(offer))
            .count();
  }
}
