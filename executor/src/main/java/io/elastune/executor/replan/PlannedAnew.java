package io.elastune.executor.replan;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.executor.core.Answer;
import io.elastune.executor.core.Answer.Hope;
import io.elastune.executor.core.Answer.Prediction;
import io.elastune.executor.core.Question;
import io.elastune.executor.core.RunDefinition;
import io.elastune.planner.Replanner;
import io.elastune.planner.api.ReplanResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Re-plans a run with the planner: compares the present plan with the best plan for the groups
 * after those in progress. If neither meets the limits, it also considers moving the trials of the
 * groups in progress.
 */
public final class PlannedAnew implements Replans {
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
  public PlannedAnew(RunDefinition definition) {
    this.definition = definition;
    this.planning =
        definition
            .planning()
            .orElseThrow(
                () -> new IllegalArgumentException("the definition has no inputs for re-planning"));
  }

  @Override
  public Answer answer(Question question) {
    Rest later = Rest.later(question, definition);
    Plan current = plan(question);
    boolean canGoOn = question.chains().stream().allMatch(Question.Chain::canGoOn);
    Optional<Prediction> stay =
        canGoOn ? stay(question, later, current, question.budgetUsd()) : Optional.empty();
    List<Answer.Move> moves = new ArrayList<>();
    // A run that cannot continue with its plan may use the whole budget.
    OptionalDouble budget = canGoOn ? reserved(question) : question.budgetUsd();
    if (canGoOn) {
      move(question, later, current, question.deadlineS(), budget).ifPresent(moves::add);
    }
    boolean fine = stay.filter(PlannedAnew::keepsAll).isPresent();
    if (!fine && moves.stream().map(Answer.Move::prediction).noneMatch(PlannedAnew::keepsAll)) {
      move(question, Rest.atOnce(question, definition), current, question.deadlineS(), budget)
          .filter(move -> !canGoOn || touches(question, move))
          .ifPresent(moves::add);
    }
    Optional<Answer.Move> best = moves.stream().max(order());
    return new Answer(
        stay,
        stay.isPresent() && best.filter(PlannedAnew::isLate).isPresent()
            ? noLater(question, later, current, stay.get(), budget).or(() -> best)
            : best);
  }

  private static boolean isLate(Answer.Move move) {
    return move.prediction().hope() == Hope.LATE;
  }

  /** If the deadline cannot be met: the cheapest plan that ends no later than the present one. */
  private Optional<Answer.Move> noLater(
      Question question, Rest rest, Plan current, Prediction stay, OptionalDouble budget) {
    return move(question, rest, current, OptionalDouble.of(stay.completionS()), budget)
        .filter(move -> move.prediction().completionS() <= stay.completionS());
  }

  private static boolean keepsAll(Prediction prediction) {
    return prediction.hope() == Hope.ON_TIME && prediction.inBudget();
  }

  private static Plan plan(Question question) {
    Map<String, Allocation> allocations = new TreeMap<>();
    question.chains().forEach(chain -> allocations.putAll(chain.allocations()));
    return new Plan(false, allocations);
  }

  /** Whether a new plan changes the allocation of a group in progress. */
  private static boolean touches(Question question, Answer.Move move) {
    return question.chains().stream()
        .anyMatch(
            chain -> !chain.allocation().equals(move.allocations().get(chain.underWay().name())));
  }

  /** The highest cost of a new plan, which always leaves a reserve of the budget. */
  private OptionalDouble reserved(Question question) {
    if (question.budgetUsd().isEmpty()) {
      return question.budgetUsd();
    }
    double budget = question.budgetUsd().getAsDouble();
    double planned =
        definition.forecasts().values().stream().mapToDouble(RunDefinition.Forecast::usd).sum();
    return OptionalDouble.of(budget - RESERVE * Math.max(0, budget - planned));
  }

  /**
   * Orders plans from worst to best: by the limits that they meet, then by cost or completion time.
   */
  private static Comparator<Answer.Move> order() {
    return Comparator.comparing((Answer.Move move) -> move.prediction().inBudget())
        .thenComparing(move -> move.prediction().hope())
        .thenComparing(
            move ->
                move.prediction().hope() == Hope.LIKELY
                    ? -move.prediction().completionS()
                    : -move.prediction().costUsd());
  }

  private Optional<Prediction> stay(
      Question question, Rest rest, Plan plan, OptionalDouble budget) {
    if (rest.standing().isEmpty()) {
      return Optional.of(rest.alone(question.deadlineS(), budget));
    }
    Problem problem = problem(question, question.deadlineS(), budget, confidence(), List.of());
    return new Replanner(problem, 0)
        .outlook(rest.standing().get(), plan)
        .map(replanResult -> prediction(question, rest, replanResult, budget));
  }

  private double confidence() {
    return planning.limits().confidence();
  }

  private Prediction prediction(
      Question question, Rest rest, ReplanResult replanResult, OptionalDouble budget) {
    double completionS = Math.max(rest.otherS(), replanResult.completionS());
    Hope hope = Hope.LATE;
    double deadlineS = question.deadlineS().orElse(Double.POSITIVE_INFINITY);
    if (completionS <= deadlineS) {
      hope = Hope.ON_TIME;
    } else if (rest.otherS() <= deadlineS
        && isOnTimeInTheMean(question, rest, replanResult.plan())) {
      hope = Hope.LIKELY;
    }
    boolean inBudget = replanResult.costUsd() <= budget.orElse(Double.POSITIVE_INFINITY);
    return new Prediction(completionS, replanResult.costUsd(), hope, inBudget);
  }

  private boolean isOnTimeInTheMean(Question question, Rest rest, Plan plan) {
    Problem even = problem(question, question.deadlineS(), OptionalDouble.empty(), EVEN, List.of());
    return new Replanner(even, 0)
        .outlook(rest.standing().orElseThrow(), plan)
        .filter(ReplanResult::onTime)
        .isPresent();
  }

  /**
   * Returns the best plan for the rest; if none meets the deadline, the fastest within the budget.
   */
  private Optional<Answer.Move> move(
      Question question, Rest rest, Plan current, OptionalDouble deadlineS, OptionalDouble budget) {
    if (rest.standing().isEmpty()) {
      return Optional.empty();
    }
    Problem problem = problem(question, deadlineS, budget, confidence(), shortages(question));
    return new Replanner(problem, 0)
        .replan(rest.standing().get(), current)
        .map(
            replanResult ->
                new Answer.Move(
                    prediction(question, rest, replanResult, budget),
                    replanResult.plan().allocations()));
  }

  private Problem problem(
      Question question,
      OptionalDouble deadlineS,
      OptionalDouble budgetUsd,
      double confidence,
      List<Quota> shortages) {
    Limits limits = planning.limits();
    List<Quota> quotas = new ArrayList<>(limits.quotas());
    quotas.addAll(shortages);
    Map<String, Profile> profiles = new TreeMap<>();
    planning.profiles().forEach((gpu, one) -> profiles.put(gpu, one.slowed(question.pace())));
    return new Problem(
        definition.workload(),
        definition.offers().values().stream().map(offer -> priced(question, offer)).toList(),
        profiles,
        planning.gpusPerTrial(),
        new Limits(
            deadlineS,
            budgetUsd,
            confidence,
            limits.maxInstances(),
            limits.maxUsdPerHour(),
            quotas),
        definition.running(),
        planning.seed());
  }

  private static Offer priced(Question question, Offer offer) {
    Double now = question.prices().get(offer.name());
    return now == null ? offer : offer.withUsdPerHour(now);
  }

  /** Limits each refused offer to the number of instances that are held. */
  private static List<Quota> shortages(Question question) {
    return question.refused().stream()
        .map(
            offer -> new Quota("unavailable", "instances", held(question, offer), Map.of(offer, 1)))
        .toList();
  }

  private static int held(Question question, String offer) {
    return (int)
        question.chains().stream()
            .flatMap(chain -> chain.held().stream())
            .filter(instance -> instance.offer().equals(offer))
            .count();
  }
}
