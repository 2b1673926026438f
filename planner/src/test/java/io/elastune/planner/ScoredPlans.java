package io.elastune.planner;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Scores every plan of the chains of small jobs with the mean-value model. */
final class ScoredPlans {
  private ScoredPlans() {}

  /** Returns the model of the only chain of a job. */
  static ChainModel model(Problem problem) {
    return model(problem, problem.workload().chains().get(0));
  }

  static ChainModel model(Problem problem, Chain chain) {
    return JobSearch.model(
        problem, Menu.of(problem), chain, true, Start.NOTHING, SearchParameters.DEFAULT);
  }

  /** Returns every plan of a chain on at most {@code cap} instances. */
  static List<Draft> all(ChainModel model, int cap) {
    List<Draft> all = new ArrayList<>();
    extend(model, cap, new Size[model.groups()], new int[model.groups()], 0, all);
    return all;
  }

  private static void extend(
      ChainModel model, int cap, Size[] sizes, int[] instances, int group, List<Draft> all) {
    if (group == sizes.length) {
      all.add(new Scorer(model).score(sizes, instances));
      return;
    }
    for (Size size : model.menu().sizes()) {
      for (int count = size.team(); count <= Math.min(cap, size.rental().most()); count++) {
        sizes[group] = size;
        instances[group] = count;
        extend(model, cap, sizes, instances, group + 1, all);
      }
    }
  }

  /** Returns the Pareto set of some plans. */
  static Front<Draft> front(List<Draft> plans) {
    Front<Draft> front = new Front<>(Draft.SMALLER);
    front.addAll(plans);
    return front;
  }

  /** Returns a pool of all plans of each chain of a job. */
  static List<Pool> pools(Problem problem, Pool.Shared shared) {
    List<Pool> pools = new ArrayList<>();
    for (Chain chain : problem.workload().chains()) {
      Pool pool = new Pool(shared);
      all(model(problem, chain), problem.limits().maxInstances()).forEach(pool::add);
      pools.add(pool);
    }
    return pools;
  }

  /** Returns the searches of the chains of a job. */
  static List<ChainSearch> searches(Problem problem) {
    return problem.workload().chains().stream()
        .map(chain -> model(problem, chain))
        .map(model -> new ChainSearch(model, Pool.Shared.INSTANCES, () -> false))
        .toList();
  }

  /** Returns a job of two chains, of two groups and of one, on two to four instances. */
  static Problem twoChains(long seed, int offers) {
    SplittableRandom random = new SplittableRandom(seed);
    Problem like = RandomJobs.small(seed);
    Workload workload =
        new Workload(
            List.of(
                Jobs.chain(
                    "a",
                    2 + random.nextInt(6),
                    1 + random.nextInt(3),
                    1 + random.nextInt(3),
                    1 + random.nextInt(4)),
                Jobs.chain("b", 1 + random.nextInt(5), 1 + random.nextInt(5))));
    Limits limits = Jobs.deadline(1e9, 2 + random.nextInt(3));
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
