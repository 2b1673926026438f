package io.elastune.planner.pool;

import io.elastune.core.plan.Problem;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolRules;
import io.elastune.core.timeline.Timeline;
import io.elastune.planner.model.OfferChoice;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes completion time and cost of plans with shared instances, for mean durations. Not
 * thread-safe.
 */
final class PoolModel {
  private final Problem problem;
  private final Map<OfferChoice, MeanPoolRun> runs = new HashMap<>();

  PoolModel(Problem problem) {
    this.problem = problem;
  }

  PoolCandidate evaluate(OfferChoice offer, int instances, List<Integer> gpus, boolean hold) {
    double[] readyS = new double[instances];
    Arrays.fill(readyS, offer.readyAfterS());
    Timeline timeline = played(offer, gpus, hold, readyS);
    double completionS = timeline.nowS();
    double usd = problem.running().usd(completionS) + instances * offer.offer().dataInUsd();
    double runningS = offer.offer().queueS().mean();
    for (int i = 0; i < instances; i++) {
      usd +=
          offer.leaseUsd(runningS, timeline.instance(i).releasedS(), timeline.instance(i).usedS());
    }
    return new PoolCandidate(offer, instances, gpus, completionS, usd);
  }

  /**
   * Plays a plan and returns its timeline, until the next one of the offer.
   *
   * @param readyS by instance: when it is ready
   */
  Timeline played(OfferChoice offer, List<Integer> gpus, boolean hold, double[] readyS) {
    return run(offer).play(gpus, hold, readyS);
  }

  private MeanPoolRun run(OfferChoice offer) {
    return runs.computeIfAbsent(offer, of -> new MeanPoolRun(problem, of));
  }

  /** Returns the most instances that the chains use at once with these sizes. */
  int mostInstances(OfferChoice offer, List<Integer> gpus) {
    double demand = 0;
    int perInstance = offer.offer().gpus();
    for (List<PoolGroup> chain : run(offer).chains(gpus)) {
      demand +=
          chain.stream()
              .mapToDouble(group -> PoolRules.demandGpus(group, group.trials(), perInstance))
              .max()
              .orElse(0);
    }
    return Math.min(offer.maxInstances(), PoolRules.keptInstances(demand, perInstance));
  }
}
