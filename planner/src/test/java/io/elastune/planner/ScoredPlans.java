package io.elastune.planner;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.InitialHoldings;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TrialShape;
import io.elastune.planner.search.CandidatePool;
import io.elastune.planner.search.ChainSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Scores every plan of the chains of small jobs with the mean-value model. */
public final class ScoredPlans {
  private ScoredPlans() {}

  /** Returns the model of the only chain of a job. */
  public static MeanValueModel model(Problem problem) {
    return model(problem, problem.workload().chains().get(0));
  }

  static MeanValueModel model(Problem problem, Chain chain) {
    return JobSearch.model(
        problem,
        ChoiceSet.of(problem),
        chain,
        true,
        InitialHoldings.NOTHING,
        SearchParameters.DEFAULT);
  }

  /** Returns every plan of a chain on at most {@code cap} instances. */
  public static List<ChainCandidate> all(MeanValueModel model, int cap) {
    List<ChainCandidate> all = new ArrayList<>();
    extend(model, cap, new TrialShape[model.groups()], new int[model.groups()], 0, all);
    return all;
  }

  private static void extend(
      MeanValueModel model,
      int cap,
      TrialShape[] trialShapes,
      int[] instances,
      int group,
      List<ChainCandidate> all) {
    if (group == trialShapes.length) {
      all.add(new CandidateScorer(model).score(trialShapes, instances));
      return;
    }
    for (TrialShape trialShape : model.choiceSet().trialShapes()) {
      for (int count = trialShape.team();
          count <= Math.min(cap, trialShape.offerChoice().maxInstances());
          count++) {
        trialShapes[group] = trialShape;
        instances[group] = count;
        extend(model, cap, trialShapes, instances, group + 1, all);
      }
    }
  }

  /** Returns the Pareto set of some plans. */
  public static ParetoFront<ChainCandidate> front(List<ChainCandidate> plans) {
    ParetoFront<ChainCandidate> paretoFront = new ParetoFront<>(ChainCandidate.BY_ALLOCATIONS);
    paretoFront.addAll(plans);
    return paretoFront;
  }

  /** Returns a pool of all plans of each chain of a job. */
  public static List<CandidatePool> pools(
      Problem problem, CandidatePool.SharedResources sharedResources) {
    List<CandidatePool> candidatePools = new ArrayList<>();
    for (Chain chain : problem.workload().chains()) {
      CandidatePool candidatePool = new CandidatePool(sharedResources);
      all(model(problem, chain), problem.limits().maxInstances()).forEach(candidatePool::add);
      candidatePools.add(candidatePool);
    }
    return candidatePools;
  }

  /** Returns the searches of the chains of a job. */
  public static List<ChainSearch> searches(Problem problem) {
    return problem.workload().chains().stream()
        .map(chain -> model(problem, chain))
        .map(model -> new ChainSearch(model, CandidatePool.SharedResources.INSTANCES, () -> false))
        .toList();
  }

  /** Returns a job of two chains, of two groups and of one, on two to four instances. */
  public static Problem twoChains(long seed, int offers) {
    SplittableRandom random = new SplittableRandom(seed);
    Problem like = RandomJobs.small(seed);
    Workload workload =
        new Workload(
            List.of(
                TestJobs.chain(
                    "a",
                    2 + random.nextInt(6),
                    1 + random.nextInt(3),
                    1 + random.nextInt(3),
                    1 + random.nextInt(4)),
                TestJobs.chain("b", 1 + random.nextInt(5), 1 + random.nextInt(5))));
    Limits limits = TestJobs.deadline(1e9, 2 + random.nextInt(3));
    return new Problem(
        workload,
        like.offers().subList(0, Math.min(offers, like.offers().size())),
        like.profiles(),
        like.gpusPerTrial(),
        limits,
        like.running(),
        seed);
  }
}
