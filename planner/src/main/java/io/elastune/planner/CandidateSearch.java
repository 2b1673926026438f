package io.elastune.planner;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.SearchParameters;
import java.util.Optional;

/**
 * Finds candidates for a job with mean values, without sampling: fills a Pareto set for every chain
 * and combines the chains under the shared limits (docs/planner.md, steps 1 to 4).
 */
final class CandidateSearch {
  private final PlannerInputs inputs;
  private final Problem problem;
  private final PlannerOptions options;
  private final SearchParameters.LabelSetting labelSetting;
  private final SearchParameters.SearchDeadlines deadlines;
  private final JobSearch search;
  private final boolean varies;
  private final boolean minimizesCost;
  private final double deadlineS;

  /**
   * @param varies whether any duration varies
   */
  CandidateSearch(PlannerInputs inputs, JobSearch search, boolean varies) {
    this.inputs = inputs;
    this.problem = inputs.problem();
    this.options = inputs.options();
    this.labelSetting = inputs.parameters().labelSetting();
    this.deadlines = inputs.parameters().searchDeadlines();
    this.search = search;
    this.varies = varies;
    this.minimizesCost = PlanSelector.minimizesCost(problem.limits());
    this.deadlineS = problem.limits().deadlineOrInfinityS();
  }

  /**
   * Searches for candidates for the job's own deadline, and with less effort for other deadlines.
   *
   * <p>The order of the searches matters, because each one starts from what the ones before it
   * found: the fastest plans, beam search, greedy descents, exact label setting, and greedy
   * descents for other deadlines.
   */
  CandidateSet candidates() {
    search.hasten();
    if (options.kind() != Kind.GREEDY) {
      search.beamSearch(deadlineS);
    }
    search.descend(deadlineS);
    if (options.kind() != Kind.GREEDY && isWholeFrontierExact()) {
      long effort =
          minimizesCost
              ? options.effort() / labelSetting.frontierEffortDivisor()
              : options.effort();
      search.searchExactly(0, Double.POSITIVE_INFINITY, effort);
      if (!varies && minimizesCost && problem.workload().chains().size() > 1) {
        search.splitInstances(deadlineS, options.effort());
      }
    }
    fillFrontier();
    return frontier();
  }

  /**
   * Whether label setting covers all deadlines. Where durations vary its result is approximate too,
   * so it covers only deadlines near that of the job, unless the job is small.
   */
  private boolean isWholeFrontierExact() {
    return !(varies && minimizesCost) || search.isSmall(labelSetting.wholeFrontierBoundSteps());
  }

  private void fillFrontier() {
    double fastestS = search.front(deadlineS).fastest().orElseThrow().completionS();
    boolean greedy = options.kind() == Kind.GREEDY;
    for (double slack : greedy ? deadlines.greedySlacks() : deadlines.cornerSlacks()) {
      if (!search.isExact(fastestS * slack)) {
        search.deepen(fastestS * slack);
      }
    }
  }

  /**
   * Searches again with a corrected deadline: the completion time in the mean-value model at which,
   * according to sampling, a plan just meets the deadline of the job.
   *
   * @param best the best of {@code candidates}, by sampling
   * @return empty if the candidates for that deadline are already proven optimal, or if the time
   *     limit is reached
   */
  Optional<CandidateSet> refined(CandidateSet candidates, Optional<Evaluation> best) {
    if (!minimizesCost || inputs.isOver()) {
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
  private double modelDeadlineS(CandidateSet candidates, Optional<Evaluation> best) {
    if (best.isEmpty()) {
      return candidates.fastest().completionS();
    }
    JobCandidate candidate = candidates.byPlan().get(best.get().plan());
    double modelS = candidate == null ? best.get().completionS() : candidate.completionS();
    return Math.min(deadlines.latestFactor() * deadlineS, modelS * deadlineS / best.get().safeS());
  }

  private void exactNear(double modelDeadlineS, boolean late) {
    if (options.kind() == Kind.GREEDY
        || (varies && !search.isSmall(labelSetting.approximateBoundSteps()))) {
      return;
    }
    double fromS =
        varies ? modelDeadlineS * (1 - labelSetting.deadlineWindowRatio()) : modelDeadlineS;
    double toS =
        varies ? modelDeadlineS * (1 + labelSetting.deadlineWindowRatio()) : modelDeadlineS;
    search.searchExactly(
        late ? 0 : fromS,
        toS,
        varies ? options.effort() / labelSetting.approximateEffortDivisor() : options.effort());
  }

  private CandidateSet frontier() {
    return CandidateSet.ofSearch(
        search.front(deadlineS), candidate -> search.plan(candidate, false), problem.limits());
  }
}
