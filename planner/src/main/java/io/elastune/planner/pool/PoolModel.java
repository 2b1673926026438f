package io.elastune.planner.pool;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolRules;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.InstanceTimes;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PoolSizes;
import io.elastune.core.timeline.Timeline;
import io.elastune.planner.model.OfferChoice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Computes completion time and cost of plans with shared instances, for mean durations. */
final class PoolModel {
  private final Problem problem;

  PoolModel(Problem problem) {
    this.problem = problem;
  }

  PoolCandidate evaluate(OfferChoice offer, int instances, List<Integer> gpus, boolean hold) {
    double[] readyS = new double[instances];
    Arrays.fill(readyS, offer.readyAfterS());
    Timeline timeline = timeline(offer, gpus, hold, readyS);
    double completionS = timeline.play();
    double usd = problem.running().usd(completionS) + instances * offer.offer().dataInUsd();
    double runningS = offer.offer().queueS().mean();
    for (int i = 0; i < instances; i++) {
      usd +=
          offer.leaseUsd(runningS, timeline.instance(i).releasedS(), timeline.instance(i).usedS());
    }
    return new PoolCandidate(offer, instances, gpus, completionS, usd);
  }

  /**
   * Returns the timeline of a plan.
   *
   * @param readyS by instance: when it is ready
   */
  Timeline timeline(OfferChoice offer, List<Integer> gpus, boolean hold, double[] readyS) {
    List<List<PoolGroup>> chains = chains(offer, gpus);
    ChainsRun search = ChainsRun.of(chains);
    int gpusPerInstance = offer.offer().gpus();
    PoolSizes sizes = new PoolSizes(chains, search, readyS.length, gpusPerInstance, hold);
    if (problem.keepAlive()) {
      var unused =
          search.withPlaces(
              (chain, group) ->
                  spread(
                      chains.get(chain).get(group).trials(),
                      chains.get(chain).get(group + 1).trials()));
    }
    Timeline timeline =
        new Timeline(
            search,
            new ListPolicy(search, sizes, gpusPerInstance),
            (task, instance, starts) -> {
              double seconds =
                  chains.get(task.queue()).get(task.group()).taskS()
                      - (starts ? 0 : offer.profile().startupS().mean());
              task.lasts(0, seconds, seconds);
            },
            InstanceTimes.readyAt(readyS),
            gpusPerInstance);
    return problem.keepAlive() ? timeline.withPlaces(true) : timeline;
  }

  /** Lets trials continue that are spread evenly over those of a group. */
  private static int[] spread(int trials, int continuing) {
    return IntStream.range(0, Math.min(trials, continuing))
        .map(i -> i * trials / Math.min(trials, continuing))
        .toArray();
  }

  private List<List<PoolGroup>> chains(OfferChoice offer, List<Integer> gpus) {
    List<List<PoolGroup>> chains = new ArrayList<>();
    int next = 0;
    for (Chain chain : problem.workload().chains()) {
      List<PoolGroup> of = new ArrayList<>();
      for (TrialGroup group : chain.groups()) {
        int size = gpus.get(next++);
        of.add(new PoolGroup(group.trials(), size, taskS(offer, group, size)));
      }
      chains.add(of);
    }
    return chains;
  }

  private static double taskS(OfferChoice offer, TrialGroup group, int gpus) {
    return offer.profile().startupS().mean()
        + group.units() * offer.profile().secondsPerUnit(gpus).orElseThrow();
  }

  /** Returns the most instances that the chains use at once with these sizes. */
  int mostInstances(OfferChoice offer, List<Integer> gpus) {
    double demand = 0;
    int perInstance = offer.offer().gpus();
    for (List<PoolGroup> chain : chains(offer, gpus)) {
      demand +=
          chain.stream()
              .mapToDouble(group -> PoolRules.demandGpus(group, group.trials(), perInstance))
              .max()
              .orElse(0);
    }
    return Math.min(offer.maxInstances(), PoolRules.keptInstances(demand, perInstance));
  }
}
