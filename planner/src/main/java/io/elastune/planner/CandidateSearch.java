package io.elastune.planner;

import io.elastune.core.plan.Problem;
import io.elastune.planner.Judge.Verdict;
import io.elastune.planner.PlannerOptions.Kind;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds candidates for a job with mean values, without sampling: fills a Pareto set for every chain
 * and combines the chains under the shared limits (docs/planner.md, steps 1 to 4).
 */
final class CandidateSearch {
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

  /** Up to here all labels are looked at even so. */
  private static final long ALL_STEPS = 3_000;

  /** Deadlines, as multiples of the fastest plan's time, for which greedy fills the frontier. */
  private static final double[] SLACKS = {1.1, 1.3, 1.6, 2, 3, Double.POSITIVE_INFINITY};

  /** The same where the corners of the frontier are known. */
  private static final double[] FEW_SLACKS = {1.3, 2};

  private final Problem problem;
  private final PlannerOptions options;
  private final JobSearch search;
  private final boolean varies;
  private final boolean minimizesCost;
  private final BooleanSupplier over;
  private final double deadlineS;

  /**
   * @param varies whether any duration varies
   * @param over whether the time limit is reached
   */
  CandidateSearch(
      Problem problem,
      PlannerOptions options,
      JobSearch search,
      boolean varies,
      BooleanSupplier over) {
    this.problem = problem;
    this.options = options;
    this.search = search;
    this.varies = varies;
    this.minimizesCost = Selection.isTimed(problem.limits());
    this.over = over;
    this.deadlineS = problem.limits().deadlineS().orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Searches for candidates for the job's own deadline, and thinly for other deadlines.
   *
   * <p>The order of the searches matters, because each one starts from what the ones before it
   * found: the fastest plans, beam search, greedy descents, exact label setting, and greedy
   * descents for other deadlines.
   */
  CandidateSet candidates() {
    search.hasten();
    if (options.kind() != Kind.GREEDY) {
      search.sweep(deadlineS);
    }
    search.descend(deadlineS);
    if (options.kind() != Kind.GREEDY && isWholeFrontierExact()) {
      long effort = minimizesCost ? options.effort() / FOR_FRONTIER : options.effort();
      search.exact(0, Double.POSITIVE_INFINITY, effort);
      if (!varies && minimizesCost && problem.workload().chains().size() > 1) {
        search.deal(deadlineS, options.effort());
      }
    }
    fillFrontier();
    return frontier();
  }

  /**
   * Whether label setting covers all deadlines. Where durations vary, its result is approximate
   * too, so it is limited to deadlines near the job's own, unless the job is small.
   */
  private boolean isWholeFrontierExact() {
    return !(varies && minimizesCost) || search.isSmall(ALL_STEPS);
  }

  private void fillFrontier() {
    double fastestS = search.front(deadlineS).fastest().orElseThrow().completionS();
    for (double slack : options.kind() == Kind.GREEDY ? SLACKS : FEW_SLACKS) {
      if (!search.isExact(fastestS * slack)) {
        search.deepen(fastestS * slack);
      }
    }
  }

  /**
   * Searches again for the deadline at which, according to sampling, the mean-value model should
   * aim.
   *
   * @param best of {@code candidates}, by sampling
   * @return empty if the candidates for that deadline are already proven optimal, or if time is up
   */
  Optional<CandidateSet> refined(CandidateSet candidates, Optional<Verdict> best) {
    if (!minimizesCost || over.getAsBoolean()) {
      return Optional.empty();
    }
    double modelDeadlineS = modelDeadlineS(candidates, best);
    if (search.isExact(modelDeadlineS)) {
      return Optional.empty();
    }
    search.deepen(modelDeadlineS);
    exactNear(modelDeadlineS, best.isEmpty());
    return Optional.of(frontier());
  }

  /** The completion time in the model at which a plan meets the deadline when sampled. */
  private double modelDeadlineS(CandidateSet candidates, Optional<Verdict> best) {
    if (best.isEmpty()) {
      return candidates.fastest().completionS();
    }
    Outline candidate = candidates.byPlan().get(best.get().plan());
    double modelS = candidate == null ? best.get().completionS() : candidate.completionS();
    return Math.min(LATEST * deadlineS, modelS * deadlineS / best.get().safeS());
  }

  private void exactNear(double modelDeadlineS, boolean late) {
    if (options.kind() == Kind.GREEDY || (varies && !search.isSmall(STAND_IN_STEPS))) {
      return;
    }
    double fromS = varies ? modelDeadlineS * (1 - NEAR) : modelDeadlineS;
    double toS = varies ? modelDeadlineS * (1 + NEAR) : modelDeadlineS;
    search.exact(
        late ? 0 : fromS, toS, varies ? options.effort() / FOR_STAND_IN : options.effort());
  }

  private CandidateSet frontier() {
    return CandidateSet.of(
        search.front(deadlineS), candidate -> search.plan(candidate, false), problem.limits());
  }
}
