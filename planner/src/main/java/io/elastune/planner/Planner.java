package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Judge.Verdict;
import io.elastune.planner.PlannerOptions.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Looks for the cheapest plan that keeps deadline and budget with the confidence asked for; without
 * a deadline for the fastest within the budget (model.md, "What is optimised").
 *
 * <p>The search itself takes every draw at its mean ({@link ChainModel}); what it finds is settled
 * by sampling with common random numbers. The same problem and options give the same answer, byte
 * for byte; no clock is read but that of whoever limits the time.
 */
public final class Planner {
  /** Rounds in which the search's own deadline is brought into line with what sampling says. */
  private static final int ROUNDS = 2;

  /** Where draws vary, the exact search looks this far around the mean that will do. */
  private static final double NEAR = 0.03;

  /** How far the search's own deadline may be later than the job's. */
  private static final double LATEST = 1.08;

  /** The frontier away from the deadline gets this part of the effort. */
  private static final int FOR_FRONTIER = 10;

  /** The exact search for what is settled by sampling anyway gets this part of the effort. */
  private static final int FOR_STAND_IN = 8;

  /** Nor is it made where its bound takes more steps. */
  private static final long STAND_IN_STEPS = 30_000;

  /** A plan that is dearer by less is as good as the one that was hoped for. */
  private static final double WORTH = 0.005;

  /** Up to here all labels are looked at even so. */
  private static final long ALL_STEPS = 3_000;

  /** Plans among which the likeliest to keep a deadline is that no plan found keeps. */
  private static final int AROUND_FASTEST = 6;

  /** Deadlines, as multiples of the fastest plan's time, for which greedy fills the frontier. */
  private static final double[] SLACKS = {1.1, 1.3, 1.6, 2, 3, Double.POSITIVE_INFINITY};

  /** The same where the corners of the frontier are known. */
  private static final double[] FEW_SLACKS = {1.3, 2};

  private final Problem problem;
  private final PlannerOptions options;
  private final Menu menu;
  private final boolean varies;
  private final BooleanSupplier over;

  /** A planner for {@code problem} that takes the time it needs. */
  public Planner(Problem problem, PlannerOptions options) {
    this(problem, options, () -> false);
  }

  /**
   * A planner for {@code problem} in limited time.
   *
   * @param over whether no time is left to search: what was found by then is still sampled, judged
   *     and bounded
   */
  public Planner(Problem problem, PlannerOptions options, BooleanSupplier over) {
    this.over = over;
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
    Judge judge = new Judge(problem, options);
    Selection selection = new Selection(problem.limits(), judge);
    JobSearch search = new JobSearch(problem, menu, true, Map.of(), over);
    if (search.front(deadlineS()).items().isEmpty()) {
      return new PlanResult.Impossible(tooManyChains());
    }
    Optional<Verdict> compared = explore(search, selection);
    Map<Plan, Outline> outlines = outlines(search);
    Choices shown = choices(search);
    Baselines baselines = new Baselines(search, selection, judge, problem.limits());
    List<Baseline> known = baselines.all();
    List<Plan> others = new ArrayList<>();
    Optional<Verdict> best;
    if (options.kind() == Kind.STATIC) {
      shown = baselines.staticPlans();
      best = selection.sure(shown.fastestFirst(), List.of());
    } else {
      boolean polish = varies && selection.isTimed() && !over.getAsBoolean();
      if (polish) {
        others.addAll(polished(search, judge, compared, outlines));
      }
      known.stream()
          .filter(baseline -> baseline.name().equals(Baselines.STATIC))
          .flatMap(cluster -> released(cluster, judge, compared).stream())
          .forEach(others::add);
      best = selection.sure(shown.fastestFirst(), others);
      if (polish && isDearer(best, compared) && outlines.containsKey(compared.get().plan())) {
        Polisher polisher = new Polisher(search, judge, deadlineS());
        polisher.replace(outlines.get(compared.get().plan()));
        others.addAll(polisher.found());
        best = selection.sure(shown.fastestFirst(), others);
      }
    }
    Report report = new Report(problem, options, menu, judge, selection, over.getAsBoolean());
    return best.isPresent()
        ? report.found(best.get(), search, known, shown, others, outlines)
        : report.infeasible(known, shown);
  }

  /** Whether the plan that many samples called the best did not stand the test of all. */
  private static boolean isDearer(Optional<Verdict> best, Optional<Verdict> compared) {
    return compared.isPresent()
        && best.stream().allMatch(b -> b.costUsd() > compared.get().costUsd() * (1 + WORTH));
  }

  /** Plans around the best, or around the fastest where none keeps the limits. */
  private List<Plan> polished(
      JobSearch search, Judge judge, Optional<Verdict> best, Map<Plan, Outline> outlines) {
    Polisher polisher = new Polisher(search, judge, deadlineS());
    List<Outline> front = List.copyOf(outlines.values());
    if (best.isEmpty()) {
      outlines.entrySet().stream()
          .limit(AROUND_FASTEST)
          .min(Comparator.comparingDouble(entry -> judge.quick(entry.getKey()).safeS()))
          .ifPresent(safest -> polisher.rescue(safest.getValue(), front));
    } else if (outlines.containsKey(best.get().plan())) {
      polisher.cheapen(outlines.get(best.get().plan()), best.get(), front);
    }
    return polisher.found();
  }

  /**
   * The best static cluster as a plan that releases: where chains share limits, the search may miss
   * what that costs, and no plan shown may be dearer.
   */
  private static Optional<Plan> released(Baseline cluster, Judge judge, Optional<Verdict> best) {
    return cluster
        .plan()
        .map(plan -> new Plan(false, plan.allocations()))
        .filter(
            plan ->
                best.stream()
                    .noneMatch(known -> judge.isSurelyWorse(plan, known.plan(), Aim.CHEAPER::of)))
        .map(plan -> judge.full(plan).plan());
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
    if (options.kind() != Kind.GREEDY) {
      search.sweep(deadlineS());
    }
    search.descend(deadlineS());
    // Where draws vary, the labels are a stand-in too: only those near the deadline are worth it,
    // unless all of them are soon looked at.
    boolean all = !(varies && selection.isTimed()) || search.isSmall(ALL_STEPS);
    if (options.kind() != Kind.GREEDY && all) {
      long most = selection.isTimed() ? options.effort() / FOR_FRONTIER : options.effort();
      search.exact(0, Double.POSITIVE_INFINITY, most);
      if (!varies && selection.isTimed() && problem.workload().chains().size() > 1) {
        search.deal(deadlineS(), options.effort());
      }
    }
    fillFrontier(search);
    Optional<Verdict> best = choose(search, selection);
    for (int round = 0; round < ROUNDS && selection.isTimed() && !over.getAsBoolean(); round++) {
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
    if (options.kind() == Kind.GREEDY || (varies && !search.isSmall(STAND_IN_STEPS))) {
      return;
    }
    double fromS = varies ? innerS * (1 - NEAR) : innerS;
    double toS = varies ? innerS * (1 + NEAR) : innerS;
    search.exact(
        late ? 0 : fromS, toS, varies ? options.effort() / FOR_STAND_IN : options.effort());
  }

  private void fillFrontier(JobSearch search) {
    double fastestS = search.front(deadlineS()).fastest().orElseThrow().completionS();
    for (double slack : options.kind() == Kind.GREEDY ? SLACKS : FEW_SLACKS) {
      if (!search.isExact(fastestS * slack)) {
        search.deepen(fastestS * slack);
      }
    }
  }

  private Optional<Verdict> choose(JobSearch search, Selection selection) {
    return selection.best(choices(search));
  }

  private Choices choices(JobSearch search) {
    return Choices.of(
        search.front(deadlineS()), outline -> search.plan(outline, false), problem.limits());
  }

  /** The mean time that a plan may take so that it is on time with confidence, as far as known. */
  private double innerDeadlineS(JobSearch search, Optional<Verdict> best) {
    if (best.isEmpty()) {
      return search.front(deadlineS()).fastest().orElseThrow().completionS();
    }
    Outline outline = outlines(search).get(best.get().plan());
    double meanS = outline == null ? best.get().completionS() : outline.completionS();
    return Math.min(LATEST * deadlineS(), meanS * deadlineS() / best.get().safeS());
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
