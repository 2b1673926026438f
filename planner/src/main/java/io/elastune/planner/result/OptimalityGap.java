package io.elastune.planner.result;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.search.SpreadFreeBound;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds how far a plan may be from the best possible one, and decides whether it is proven
 * optimal.
 */
public final class OptimalityGap {
  /**
   * Billing granularity in seconds above which no plan is called proven: results document this, so
   * it is not tunable.
   */
  private static final double FINE_S = 60;

  private final Problem problem;
  private final PlannerOptions options;
  private final int guideEffortDivisor;
  private final ChoiceSet choiceSet;
  private final JobSearch search;
  private final PlanSelector planSelector;
  private final double deadlineS;

  public OptimalityGap(
      PlannerInputs inputs, ChoiceSet choiceSet, JobSearch search, PlanSelector planSelector) {
    this.problem = inputs.problem();
    this.options = inputs.options();
    this.guideEffortDivisor = inputs.parameters().labelSetting().guideEffortDivisor();
    this.choiceSet = choiceSet;
    this.search = search;
    this.planSelector = planSelector;
    this.deadlineS = problem.limits().deadlineOrInfinityS();
  }

  /**
   * What is known of the best possible plan.
   *
   * @param remarks one sentence for each thing that could not be proven
   */
  public record Bounds(Optimum optimum, List<String> remarks) {}

  /** Bounds a plan. The exact search may run for that and find further candidates. */
  public Bounds of(Evaluation best) {
    List<String> remarks = new ArrayList<>();
    if (choiceSet.keepAlive()
        && problem.workload().groups().stream().anyMatch(it -> it.fromUnit() > 0)) {
      remarks.add(
          PlanResult.NOT_PROVEN
              + ": programs wait for their trials (trial.keep_alive); the bound counts no start-up"
              + " after the first group");
      return new Bounds(ofWork(best), remarks);
    }
    Optimum optimum =
        choiceSet.offerChoices().stream().anyMatch(OfferChoice::varies)
            ? withSpread(best, remarks)
            : withoutSpread(best, remarks);
    return new Bounds(optimum, remarks);
  }

  private Optimum withoutSpread(Evaluation best, List<String> remarks) {
    boolean exact =
        planSelector.minimizesCost()
            ? search.searchExactly(deadlineS, deadlineS, options.effort())
            : search.searchExactly(0, deadlineS, options.effort());
    boolean coarse =
        choiceSet.offerChoices().stream()
            .anyMatch(offerChoice -> offerChoice.offer().billing().granularityS() > FINE_S);
    boolean uncoupled = search.isUncoupled(deadlineS);
    if (!exact) {
      remarks.add(
          PlanResult.NOT_PROVEN
              + ": the exact search did not complete; the bound is that of a relaxed problem");
    }
    if (!uncoupled) {
      remarks.add(
          PlanResult.NOT_PROVEN
              + ": concurrent chains share a limit, or the cost of the controller or of"
              + " checkpoints");
    }
    if (coarse) {
      remarks.add(PlanResult.NOT_PROVEN + ": an offer is billed in increments of more than 60 s");
    }
    boolean proven = exact && uncoupled && !coarse;
    if (!planSelector.minimizesCost()) {
      return fastestInBudget(best, proven);
    }
    double least = Math.min(search.leastUsd(deadlineS), best.costUsd());
    return new Optimum(least, gap(best.costUsd(), least), least, false, proven);
  }

  /** Without a deadline: bounds how much earlier a plan within the budget could complete. */
  private Optimum fastestInBudget(Evaluation best, boolean proven) {
    double budget = problem.limits().budgetOrInfinityUsd();
    if (!search.isExact(0)) {
      return slowerThanWork(best);
    }
    JobCandidate fastest =
        search.front(deadlineS).items().stream()
            .filter(jobCandidate -> jobCandidate.costUsd() <= budget + TimeAndCost.TOLERANCE)
            .findFirst()
            .orElseThrow();
    return new Optimum(
        fastest.costUsd(),
        gap(best.completionS(), fastest.completionS()),
        search.workUsd(),
        false,
        proven);
  }

  /** Where only the work itself bounds time and cost. */
  private Optimum ofWork(Evaluation best) {
    if (!planSelector.minimizesCost()) {
      return slowerThanWork(best);
    }
    double leastUsd = Math.min(search.chanceConstrainedLeastUsd(deadlineS), best.costUsd());
    return new Optimum(leastUsd, gap(best.costUsd(), leastUsd), leastUsd, false, false);
  }

  /** Without a deadline, where only the work itself bounds time and cost. */
  private Optimum slowerThanWork(Evaluation best) {
    double leastUsd = search.workUsd();
    return new Optimum(
        leastUsd, gap(best.completionS(), search.shortestS()), leastUsd, false, false);
  }

  private Optimum withSpread(Evaluation best, List<String> remarks) {
    if (!planSelector.minimizesCost()) {
      remarks.add(
          PlanResult.NOT_PROVEN
              + ": durations vary; the bound counts only the work, at its highest speed");
      return slowerThanWork(best);
    }
    double surelyUsd = Math.min(search.chanceConstrainedLeastUsd(deadlineS), best.costUsd());
    SpreadFreeBound spreadFreeBound =
        search.spreadFreeBound(deadlineS, options.effort() / guideEffortDivisor);
    if (spreadFreeBound.leastUsd() <= surelyUsd) {
      remarks.add(
          PlanResult.NOT_PROVEN + ": durations vary; the bound is valid for every plan, but loose");
      return new Optimum(surelyUsd, gap(best.costUsd(), surelyUsd), surelyUsd, false, false);
    }
    remarks.add(
        spreadFreeBound.exact()
            ? PlanResult.NOT_PROVEN + ", because durations vary"
            : PlanResult.NOT_PROVEN
                + ": durations vary; the optimum without spread, itself only a guide, is a lower"
                + " bound");
    double guideUsd = Math.min(spreadFreeBound.leastUsd(), best.costUsd());
    return new Optimum(guideUsd, gap(best.costUsd(), guideUsd), surelyUsd, true, false);
  }

  /**
   * The part by which a value exceeds its bound. A difference by rounding counts as none: search
   * and simulator add up in different orders.
   */
  public static double gap(double value, double bound) {
    return bound > 0 && value > bound + TimeAndCost.TOLERANCE ? value / bound - 1 : 0;
  }
}
