package io.elastune.planner;

import io.elastune.core.plan.Problem;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds how far a plan may be from the best possible one, and decides whether it is proven
 * optimal.
 */
final class Bound {
  /**
   * Billing granularity in seconds above which no plan is called proven: results document this, so
   * it is not tunable.
   */
  private static final double FINE_S = 60;

  private final Problem problem;
  private final PlannerOptions options;
  private final int guideEffortDivisor;
  private final Menu menu;
  private final JobSearch search;
  private final Selection selection;
  private final double deadlineS;

  Bound(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      Menu menu,
      JobSearch search,
      Selection selection) {
    this.problem = problem;
    this.options = options;
    this.guideEffortDivisor = parameters.labelSetting().guideEffortDivisor();
    this.menu = menu;
    this.search = search;
    this.selection = selection;
    this.deadlineS = problem.limits().deadlineS().orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * What is known of the best possible plan.
   *
   * @param remarks one sentence for each thing that could not be proven
   */
  record Bounds(Optimum optimum, List<String> remarks) {}

  /** Bounds a plan. The exact search may run for that and find further candidates. */
  Bounds of(Verdict best) {
    List<String> remarks = new ArrayList<>();
    Optimum optimum =
        menu.rentals().stream().anyMatch(Rental::varies)
            ? withSpread(best, remarks)
            : withoutSpread(best, remarks);
    return new Bounds(optimum, remarks);
  }

  private Optimum withoutSpread(Verdict best, List<String> remarks) {
    boolean exact =
        selection.isTimed()
            ? search.exact(deadlineS, deadlineS, options.effort())
            : search.exact(0, deadlineS, options.effort());
    boolean coarse =
        menu.rentals().stream()
            .anyMatch(rental -> rental.offer().billing().granularityS() > FINE_S);
    boolean uncoupled = search.isUncoupled(deadlineS);
    if (!exact) {
      remarks.add(
          "not proven optimal: the exact search did not complete; the bound is that of a relaxed problem");
    }
    if (!uncoupled) {
      remarks.add(
          "not proven optimal: chains that run side by side share a limit, or the cost of the"
              + " controller or of checkpoints");
    }
    if (coarse) {
      remarks.add("not proven optimal: an offer is billed in increments of more than 60 s");
    }
    boolean proven = exact && uncoupled && !coarse;
    if (!selection.isTimed()) {
      return fastestInBudget(best, proven);
    }
    double least = Math.min(search.leastUsd(deadlineS), best.costUsd());
    return new Optimum(least, gap(best.costUsd(), least), least, false, proven);
  }

  /** Without a deadline: bounds how much earlier a plan within the budget could complete. */
  private Optimum fastestInBudget(Verdict best, boolean proven) {
    double budget = problem.limits().budgetUsd().orElse(Double.POSITIVE_INFINITY);
    if (!search.isExact(0)) {
      return slowerThanWork(best);
    }
    Outline fastest =
        search.front(deadlineS).items().stream()
            .filter(outline -> outline.costUsd() <= budget + Timed.SAME)
            .findFirst()
            .orElseThrow();
    return new Optimum(
        fastest.costUsd(),
        gap(best.completionS(), fastest.completionS()),
        search.workUsd(),
        false,
        proven);
  }

  /** Without a deadline, where only the work itself bounds time and cost. */
  private Optimum slowerThanWork(Verdict best) {
    double leastUsd = search.workUsd();
    return new Optimum(
        leastUsd, gap(best.completionS(), search.shortestS()), leastUsd, false, false);
  }

  private Optimum withSpread(Verdict best, List<String> remarks) {
    if (!selection.isTimed()) {
      remarks.add(
          "not proven optimal: durations vary; the bound counts only the work, at its highest speed");
      return slowerThanWork(best);
    }
    double surelyUsd = Math.min(search.surelyLeastUsd(deadlineS), best.costUsd());
    Guide guide = search.guide(deadlineS, options.effort() / guideEffortDivisor);
    if (guide.leastUsd() <= surelyUsd) {
      remarks.add(
          "not proven optimal: durations vary; the bound is valid for every plan, but loose");
      return new Optimum(surelyUsd, gap(best.costUsd(), surelyUsd), surelyUsd, false, false);
    }
    remarks.add(
        guide.exact()
            ? "not proven optimal: durations vary; the optimum without spread is only a guide"
            : "not proven optimal: durations vary; the guide is a bound for the job without spread");
    double guideUsd = Math.min(guide.leastUsd(), best.costUsd());
    return new Optimum(guideUsd, gap(best.costUsd(), guideUsd), surelyUsd, true, false);
  }

  /**
   * The part by which a value exceeds its bound. A difference by rounding counts as none: search
   * and simulator add up in different orders.
   */
  private static double gap(double value, double bound) {
    return bound > 0 && value > bound + Timed.SAME ? value / bound - 1 : 0;
  }
}
