package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Judge.Verdict;
import io.elastune.planner.PlannerOptions.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for the cheapest plan that keeps deadline and budget with the confidence asked for; without
 * a deadline for the fastest within the budget (model.md, "What is optimised").
 *
 * <p>The search itself takes every draw at its mean ({@link ChainModel}); what it finds is settled
 * by sampling with common random numbers. The same problem and options give the same answer, byte
 * for byte; no clock is read.
 */
public final class Planner {
  /** Rounds in which the search's own deadline is brought into line with what sampling says. */
  private static final int ROUNDS = 2;

  /** Where draws vary, the exact search looks this far around the mean that will do. */
  private static final double NEAR = 0.03;

  /** The frontier away from the deadline gets this part of the effort. */
  private static final int FOR_FRONTIER = 10;

  /** Deadlines, as multiples of the fastest plan's time, for which greedy fills the frontier. */
  private static final double[] SLACKS = {1.1, 1.3, 1.6, 2, 3, Double.POSITIVE_INFINITY};

  private final Problem problem;
  private final PlannerOptions options;
  private final Menu menu;
  private final boolean varies;

  /** A planner for {@code problem}. */
  public Planner(Problem problem, PlannerOptions options) {
    this.problem = problem;
    this.options = options;
    this.menu = Menu.of(problem);
    this.varies = menu.rentals().stream().anyMatch(Rental::varies);
  }

  /** Searches. That there is no plan is a result, not an error. */
  public PlanResult plan() {
    if (menu.rentals().isEmpty()) {
      return new PlanResult.Impossible(
          menu.refusals().isEmpty()
              ? "there is no offer to rent"
              : String.join("\n", menu.refusals()));
    }
    Judge judge = new Judge(problem, options.samples());
    Selection selection = new Selection(problem.limits(), judge);
    JobSearch search = new JobSearch(problem, menu, true);
    if (search.front(deadlineS()).items().isEmpty()) {
      return new PlanResult.Impossible(tooManyChains());
    }
    Optional<Verdict> best = explore(search, selection);
    Baselines baselines = new Baselines(search, selection, judge, deadlineS());
    Map<Plan, Outline> outlines = outlines(search);
    List<Plan> shown = List.copyOf(outlines.keySet());
    if (options.kind() == Kind.STATIC) {
      shown = baselines.staticPlans();
      best = selection.best(shown);
    } else {
      best = selection.better(best, selection.best(released(baselines.staticPlans())));
    }
    Report report = new Report(problem, options, menu, judge, selection);
    return best.isPresent()
        ? report.found(best.get(), search, baselines.all(), shown, outlines)
        : report.infeasible(baselines.all(), shown);
  }

  /**
   * The static clusters as plans that release: where chains share limits, the search may miss what
   * the best of them costs, and no plan shown may be dearer.
   */
  private static List<Plan> released(List<Plan> clusters) {
    return clusters.stream().map(plan -> new Plan(false, plan.allocations())).toList();
  }

  private double deadlineS() {
    return problem.limits().deadlineS().orElse(Double.POSITIVE_INFINITY);
  }

  private String tooManyChains() {
    return "max_instances "
        + problem.limits().maxInstances()
        + " and max_hourly_usd "
        + problem.limits().maxUsdPerHour()
        + (problem.limits().quotas().isEmpty() ? "" : " and the quotas")
        + " leave no room for "
        + problem.workload().chains().size()
        + " chains side by side";
  }

  private Optional<Verdict> explore(JobSearch search, Selection selection) {
    search.hasten();
    search.descend(deadlineS());
    if (options.kind() != Kind.GREEDY) {
      long most = selection.isTimed() ? options.effort() / FOR_FRONTIER : options.effort();
      search.exact(0, Double.POSITIVE_INFINITY, most);
    }
    fillFrontier(search);
    Optional<Verdict> best = choose(search, selection);
    for (int round = 0; round < ROUNDS && selection.isTimed(); round++) {
      double innerS = innerDeadlineS(search, best);
      if (!search.isExact(innerS)) {
        search.deepen(innerS);
        exactNear(search, innerS, best.isEmpty());
        best = choose(search, selection);
      }
    }
    return best;
  }

  private void exactNear(JobSearch search, double innerS, boolean late) {
    if (options.kind() == Kind.GREEDY) {
      return;
    }
    double fromS = varies ? innerS * (1 - NEAR) : innerS;
    double toS = varies ? Math.min(deadlineS(), innerS * (1 + NEAR)) : innerS;
    search.exact(late ? 0 : fromS, toS, options.effort());
  }

  private void fillFrontier(JobSearch search) {
    double fastestS = search.front(deadlineS()).fastest().orElseThrow().completionS();
    for (double slack : SLACKS) {
      if (!search.isExact(fastestS * slack)) {
        search.deepen(fastestS * slack);
      }
    }
  }

  private Optional<Verdict> choose(JobSearch search, Selection selection) {
    return selection.best(List.copyOf(outlines(search).keySet()));
  }

  /** The mean time that a plan may take so that it is on time with confidence, as far as known. */
  private double innerDeadlineS(JobSearch search, Optional<Verdict> best) {
    if (best.isEmpty()) {
      return search.front(deadlineS()).fastest().orElseThrow().completionS();
    }
    Outline outline = outlines(search).get(best.get().plan());
    double meanS = outline == null ? best.get().completionS() : outline.completionS();
    return Math.min(deadlineS(), meanS * deadlineS() / best.get().safeS());
  }

  /** The frontier, the fastest first, by plan. */
  private Map<Plan, Outline> outlines(JobSearch search) {
    Map<Plan, Outline> outlines = new LinkedHashMap<>();
    for (Outline outline : search.front(deadlineS()).items()) {
      outlines.put(search.plan(outline, false), outline);
    }
    return outlines;
  }
}
