package io.elastune.executor.replan;

import io.elastune.core.job.Preference;
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
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import io.elastune.planner.Replanner;
import io.elastune.planner.api.ReplanResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Re-plans a run with the planner: compares the present plan with the best plan for the groups
 * after those in progress. If neither meets the limits, it also considers moving the trials of the
 * groups in progress.
 */
public final class PlannerReplanner implements ReplanService {
  /**
   * The fraction of the unplanned budget that a new plan may not use: more problems may follow, and
   * a run that stops at its budget is worse than a late one.
   */
  private static final double RESERVE = 0.5;

  /** The confidence that corresponds to the mean. */
  private static final double EVEN = 0.5;

  private final RunDefinition definition;
  private final RunDefinition.Planning planning;

  /** Creates a service for a run with {@code definition}. */
  public PlannerReplanner(RunDefinition definition) {
    this.definition = definition;
    this.planning =
        definition
            .planning()
            .orElseThrow(
                () -> new IllegalArgumentException("the definition has no inputs for re-planning"));
  }

  @Override
  public ReplanResponse replan(ReplanRequest replanRequest) {
    if (definition.plan().shared() || replanRequest.rungs().isPresent()) {
      return replanPool(replanRequest);
    }
    RemainingWork later = RemainingWork.later(replanRequest, definition);
    Plan current = plan(replanRequest);
    boolean canGoOn =
        replanRequest.chains().stream().allMatch(ReplanRequest.ChainProgress::canGoOn);
    Optional<Prediction> stay =
        canGoOn ? stay(replanRequest, later, current, replanRequest.budgetUsd()) : Optional.empty();
    List<ReplanResponse.Move> moves = new ArrayList<>();
    // A run that cannot continue with its plan may use the whole budget.
    OptionalDouble budget = canGoOn ? reserved(replanRequest) : replanRequest.budgetUsd();
    if (canGoOn) {
      move(replanRequest, later, current, replanRequest.deadlineS(), budget).ifPresent(moves::add);
    }
    boolean fine = stay.filter(PlannerReplanner::keepsAll).isPresent();
    if (!fine
        && moves.stream()
            .map(ReplanResponse.Move::prediction)
            .noneMatch(PlannerReplanner::keepsAll)) {
      move(
              replanRequest,
              RemainingWork.atOnce(replanRequest, definition),
              current,
              replanRequest.deadlineS(),
              budget)
          .filter(move -> !canGoOn || touches(replanRequest, move))
          .ifPresent(moves::add);
    }
    boolean isTimed =
        planning.prefer().filter(it -> it.rule() == Preference.Rule.FASTEST).isPresent();
    Optional<ReplanResponse.Move> best = moves.stream().max(MoveOrder.of(isTimed));
    if (stay.isEmpty() || best.filter(PlannerReplanner::isLate).isEmpty()) {
      return new ReplanResponse(stay, best);
    }
    return new ReplanResponse(
        stay,
        Stream.of(
                noLater(replanRequest, later, current, stay.get(), budget),
                approved(replanRequest, later, current, budget))
            .flatMap(Optional::stream)
            .min(Comparator.comparingDouble(move -> move.prediction().costUsd()))
            .or(() -> best));
  }

  private ReplanResponse replanPool(ReplanRequest replanRequest) {
    Problem problem =
        problem(
            replanRequest,
            replanRequest.deadlineS(),
            replanRequest.budgetUsd(),
            confidence(),
            List.of());
    boolean moves = definition.rungChanges().filter(RungChanges.PLACES::equals).isPresent();
    SharedPoolReplanner replanner =
        replanRequest.rungs().isPresent()
            ? SharedPoolReplanner.ofRungs(replanRequest, problem, plan(replanRequest), moves)
            : SharedPoolReplanner.ofChains(replanRequest, problem, plan(replanRequest));
    return replanner.replan(reserved(replanRequest), planning.prefer());
  }

  private static boolean isLate(ReplanResponse.Move move) {
    return move.prediction().hope() == DeadlineOutlook.LATE;
  }

  /** If the deadline cannot be met: the cheapest plan that ends no later than the present one. */
  private Optional<ReplanResponse.Move> noLater(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Plan current,
      Prediction stay,
      OptionalDouble budget) {
    return move(
            replanRequest,
            remainingWork,
            current,
            OptionalDouble.of(stay.completionS()),
            budget,
            Optional.empty())
        .filter(move -> move.prediction().completionS() <= stay.completionS());
  }

  /** If the deadline cannot be met: the approved plan for later groups, if they have another. */
  private Optional<ReplanResponse.Move> approved(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Plan current,
      OptionalDouble budget) {
    Map<String, Allocation> allocations = new TreeMap<>(current.allocations());
    for (ReplanRequest.ChainProgress chainProgress : replanRequest.chains()) {
      for (TrialGroup group : chainProgress.later()) {
        allocations.put(group.name(), definition.plan().of(group));
      }
    }
    if (remainingWork.standing().isEmpty() || allocations.equals(current.allocations())) {
      return Optional.empty();
    }
    Plan approved = new Plan(false, allocations);
    List<Quota> shortages = shortages(replanRequest); // it may need more instances than are held
    return outlook(replanRequest, remainingWork, approved, budget, confidence(), shortages)
        .map(result -> asMove(replanRequest, remainingWork, result, budget));
  }

  private ReplanResponse.Move asMove(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      ReplanResult replanResult,
      OptionalDouble budget) {
    return new ReplanResponse.Move(
        prediction(replanRequest, remainingWork, replanResult, budget),
        replanResult.plan().allocations());
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
  private static boolean touches(ReplanRequest replanRequest, ReplanResponse.Move move) {
    return replanRequest.chains().stream()
        .anyMatch(
            chainProgress ->
                !chainProgress
                    .allocation()
                    .equals(move.allocations().get(chainProgress.underWay().name())));
  }

  /** The highest cost of a new plan, which always leaves a reserve of the budget. */
  private OptionalDouble reserved(ReplanRequest replanRequest) {
    if (replanRequest.budgetUsd().isEmpty()) {
      return replanRequest.budgetUsd();
    }
    double budget = replanRequest.budgetUsd().getAsDouble();
    double planned =
        definition.forecasts().values().stream().mapToDouble(RunDefinition.Forecast::usd).sum();
    return OptionalDouble.of(budget - RESERVE * Math.max(0, budget - planned));
  }

  private Optional<Prediction> stay(
      ReplanRequest replanRequest, RemainingWork remainingWork, Plan plan, OptionalDouble budget) {
    if (remainingWork.standing().isEmpty()) {
      return Optional.of(
          remainingWork.predictionWithoutReplanning(
              replanRequest.deadlineS(), budget, confidence()));
    }
    return outlook(replanRequest, remainingWork, plan, budget, confidence(), List.of())
        .map(replanResult -> prediction(replanRequest, remainingWork, replanResult, budget));
  }

  /** Returns the prediction of the rest under a plan; empty if it needs too many instances. */
  private Optional<ReplanResult> outlook(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Plan plan,
      OptionalDouble budget,
      double confidence,
      List<Quota> shortages) {
    Problem problem =
        problem(replanRequest, replanRequest.deadlineS(), budget, confidence, shortages);
    return new Replanner(problem, 0).outlook(remainingWork.standing().orElseThrow(), plan);
  }

  private double confidence() {
    return planning.limits().confidence();
  }

  private Prediction prediction(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      ReplanResult replanResult,
      OptionalDouble budget) {
    double completionS =
        Math.max(remainingWork.otherSafeS(confidence()), replanResult.completionS());
    DeadlineOutlook deadlineOutlook = DeadlineOutlook.LATE;
    double deadlineS = replanRequest.deadlineS().orElse(Double.POSITIVE_INFINITY);
    if (completionS <= deadlineS) {
      deadlineOutlook = DeadlineOutlook.ON_TIME;
    } else if (remainingWork.otherS() <= deadlineS
        && isOnTimeInTheMean(replanRequest, remainingWork, replanResult.plan())) {
      deadlineOutlook = DeadlineOutlook.LIKELY;
    }
    boolean inBudget = replanResult.costUsd() <= budget.orElse(Double.POSITIVE_INFINITY);
    return new Prediction(completionS, replanResult.costUsd(), deadlineOutlook, inBudget);
  }

  private boolean isOnTimeInTheMean(
      ReplanRequest replanRequest, RemainingWork remainingWork, Plan plan) {
    return outlook(replanRequest, remainingWork, plan, OptionalDouble.empty(), EVEN, List.of())
        .filter(ReplanResult::onTime)
        .isPresent();
  }

  /**
   * Returns the best plan for the rest; if none meets the deadline, the fastest within the budget.
   */
  private Optional<ReplanResponse.Move> move(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Plan current,
      OptionalDouble deadlineS,
      OptionalDouble budget) {
    return move(replanRequest, remainingWork, current, deadlineS, budget, planning.prefer());
  }

  private Optional<ReplanResponse.Move> move(
      ReplanRequest replanRequest,
      RemainingWork remainingWork,
      Plan current,
      OptionalDouble deadlineS,
      OptionalDouble budget,
      Optional<Preference> preference) {
    if (remainingWork.standing().isEmpty()) {
      return Optional.empty();
    }
    Problem problem =
        problem(replanRequest, deadlineS, budget, confidence(), shortages(replanRequest));
    return new Replanner(problem, 0, preference)
        .replan(remainingWork.standing().get(), current)
        .map(result -> asMove(replanRequest, remainingWork, result, budget));
  }

  private Problem problem(
      ReplanRequest replanRequest,
      OptionalDouble deadlineS,
      OptionalDouble budgetUsd,
      double confidence,
      List<Quota> shortages) {
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
                .deadlineS(deadlineS)
                .budgetUsd(budgetUsd)
                .confidence(confidence)
                .build()
                .withQuotas(shortages),
            definition.running(),
            planning.seed())
        .withSilence(silence());
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
