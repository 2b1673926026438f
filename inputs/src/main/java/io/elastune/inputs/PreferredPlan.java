package io.elastune.inputs;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Preference;
import io.elastune.core.plan.Limits;
import io.elastune.planner.PairedCosts;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PreferenceOrder;
import io.elastune.simulator.Simulator;
import java.util.List;

/** Selects the plan of the time–cost frontier that a job prefers. */
public final class PreferredPlan {
  /** Plans that cost more than this multiple are not compared sample by sample. */
  private static final double SAME_COST_AT_MOST = 1.01;

  private final int threads;

  /** {@code threads}: for simulation. */
  public PreferredPlan(int threads) {
    this.threads = threads;
  }

  /**
   * Returns the plan that the job prefers among those that meet the limits. The result has no
   * samples of the planner any more.
   */
  public FoundPlan of(FoundPlan answer) {
    return sampled(answer).withoutSamples();
  }

  private FoundPlan sampled(FoundPlan answer) {
    Preference preference = answer.selection().preference();
    boolean hasDeadline = answer.problem().limits().deadlineS().isPresent();
    FoundPlan best =
        isThatOfThePlanner(preference, hasDeadline) ? answer : preferred(answer, preference);
    return preference.rule() == Preference.Rule.CHEAPEST ? fastestOfSameCost(best) : best;
  }

  /** Returns whether a preference is what the planner minimizes: it needs no frontier then. */
  public static boolean isThatOfThePlanner(Preference preference, boolean hasDeadline) {
    return preference.rule() == (hasDeadline ? Preference.Rule.CHEAPEST : Preference.Rule.FASTEST);
  }

  private FoundPlan preferred(FoundPlan answer, Preference preference) {
    PlanResult.Found own = answer.found();
    Limits limits = answer.problem().limits();
    List<FrontierPoint> meeting =
        own.frontier().stream()
            .filter(point -> point.plan().equals(own.plan()) || point.meets(limits))
            .toList();
    PreferenceOrder<FrontierPoint> order =
        new PreferenceOrder<>(
            FrontierPoint::completionS,
            FrontierPoint::costUsd,
            preference,
            limits.deadlineS().isPresent());
    return firstThatMeets(answer, order.of(meeting), answer.selection());
  }

  /** Few samples put the points on the frontier: the estimate must meet the limits, too. */
  private FoundPlan firstThatMeets(
      FoundPlan answer, List<FrontierPoint> preferredFirst, PlanSelection how) {
    for (FrontierPoint point : preferredFirst) {
      if (point.plan().equals(answer.found().plan())) {
        return answer;
      }
      Estimate estimate = estimate(answer, point);
      double confidence = answer.problem().limits().confidence();
      if (estimate.onTime() >= confidence && estimate.inBudget().orElse(1) >= confidence) {
        return chosen(answer, point, estimate, how);
      }
    }
    return answer;
  }

  /** Of plans whose costs cannot be distinguished, the fastest is as good and earlier. */
  private FoundPlan fastestOfSameCost(FoundPlan cheapest) {
    Estimate own = cheapest.found().estimate();
    double most = own.costUsd().mean() * SAME_COST_AT_MOST;
    List<FrontierPoint> faster =
        cheapest.found().frontier().stream()
            .filter(point -> point.meets(cheapest.problem().limits()))
            .filter(point -> !point.plan().equals(cheapest.found().plan()))
            .filter(point -> point.completionS() < own.completionS().mean())
            .filter(point -> point.costUsd() <= most)
            .toList();
    if (faster.isEmpty()) {
      return cheapest;
    }
    Simulator others = new Simulator(cheapest.problem(), own.samples(), threads);
    PairedCosts costs =
        new PairedCosts(
            plan ->
                cheapest
                    .found()
                    .samples()
                    .sampling(cheapest.problem(), plan)
                    .orElseGet(() -> others.sampling(plan)),
            cheapest.found().plan(),
            own.samples());
    List<FrontierPoint> same = faster.stream().filter(point -> costs.isSame(point.plan())).toList();
    return firstThatMeets(cheapest, same, cheapest.selection().tied());
  }

  /** Returns the estimate of a plan of the frontier. */
  public Estimate estimate(FoundPlan answer, FrontierPoint point) {
    return point.plan().equals(answer.found().plan())
        ? answer.found().estimate()
        : answer
            .found()
            .samples()
            .estimate(answer.problem(), point.plan())
            .orElseGet(
                () ->
                    new Simulator(answer.problem(), PlannerOptions.DEFAULT.samples(), threads)
                        .simulate(point.plan()));
  }

  /** Returns the same result with another plan of its frontier. */
  public static FoundPlan chosen(
      FoundPlan answer, FrontierPoint point, Estimate estimate, PlanSelection how) {
    PlanResult.Found own = answer.best().orElse(answer.found());
    boolean hasDeadline = answer.problem().limits().deadlineS().isPresent();
    return answer.with(
        point.plan().equals(own.plan())
            ? own
            : new PlanResult.Found(
                point.plan(),
                estimate,
                own.baselines(),
                optimum(own, estimate, hasDeadline),
                own.frontier(),
                List.of(),
                own.remarks(),
                own.samples()),
        how);
  }

  /** Returns how far the chosen plan may be from the optimum: by as much more as it is worse. */
  private static Optimum optimum(PlanResult.Found found, Estimate chosen, boolean minimizesCost) {
    Optimum optimum = found.optimum();
    double ratio =
        minimizesCost
            ? chosen.costUsd().mean() / found.estimate().costUsd().mean()
            : chosen.completionS().mean() / found.estimate().completionS().mean();
    double gap = Math.max(0, (1 + optimum.gap()) * ratio - 1);
    return new Optimum(
        optimum.costUsd(), gap, optimum.boundUsd(), optimum.guide(), optimum.proven());
  }
}
