package io.elastune.planner.pool;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PoolSizes;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.planner.model.OfferChoice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Plays plans with shared instances of one offer, for mean durations. All plays use the same
 * objects, because a search plays thousands of plans. Not thread-safe.
 */
final class MeanPoolRun {
  private final OfferChoice offer;
  private final double startupS;
  private final List<List<Group>> groups = new ArrayList<>();
  private final PoolSizes sizes;
  private final Timeline timeline;

  // The plan that is played, and by instance when it is ready.
  private List<List<PoolGroup>> chains;
  private double[] readyS = {};

  /** A group, and what it is with each number of GPUs per trial that was played. */
  private record Group(TrialGroup group, Map<Integer, PoolGroup> bySize) {}

  MeanPoolRun(Problem problem, OfferChoice offer) {
    this.offer = offer;
    startupS = offer.profile().startupS().mean();
    List<List<PoolGroup>> unsized = new ArrayList<>();
    for (Chain chain : problem.workload().chains()) {
      groups.add(chain.groups().stream().map(group -> new Group(group, new HashMap<>())).toList());
      unsized.add(
          chain.groups().stream().map(group -> new PoolGroup(group.trials(), 1, 0)).toList());
    }
    chains = unsized;
    ChainsRun search = ChainsRun.of(chains);
    int gpusPerInstance = offer.offer().gpus();
    sizes = new PoolSizes(chains, search, 0, gpusPerInstance, false);
    timeline =
        new Timeline(
            search,
            new ListPolicy(search, sizes, gpusPerInstance),
            this::begin,
            (instance, nowS) -> instance.boots(nowS, readyS[instance.number()], false),
            gpusPerInstance);
    if (problem.keepAlive()) {
      var unusedSearch =
          search.withPlaces(
              (chain, group) -> spread(trials(chain, group), trials(chain, group + 1)));
      var unusedTimeline = timeline.withPlaces(true);
    }
  }

  private void begin(Task task, Instance instance, boolean starts) {
    double taskS = chains.get(task.queue()).get(task.group()).taskS();
    double seconds = taskS - (starts ? 0 : startupS);
    task.lasts(0, seconds, seconds);
  }

  private int trials(int chain, int group) {
    return groups.get(chain).get(group).group().trials();
  }

  /** Lets trials continue that are spread evenly over those of a group. */
  private static int[] spread(int trials, int continuing) {
    return IntStream.range(0, Math.min(trials, continuing))
        .map(i -> i * trials / Math.min(trials, continuing))
        .toArray();
  }

  /**
   * Plays a plan and returns its timeline, until the next play.
   *
   * @param gpus GPUs per trial of each group, chain by chain
   * @param atS by instance: when it is ready
   */
  Timeline play(List<Integer> gpus, boolean hold, double[] atS) {
    chains = chains(gpus);
    readyS = atS;
    sizes.change(chains, atS.length, hold);
    timeline.play();
    return timeline;
  }

  /** Returns the chains of a plan. */
  List<List<PoolGroup>> chains(List<Integer> gpus) {
    List<List<PoolGroup>> sized = new ArrayList<>();
    int next = 0;
    for (List<Group> chain : groups) {
      List<PoolGroup> of = new ArrayList<>();
      for (Group group : chain) {
        of.add(sized(group, gpus.get(next++)));
      }
      sized.add(of);
    }
    return sized;
  }

  private PoolGroup sized(Group group, int gpus) {
    return group
        .bySize()
        .computeIfAbsent(
            gpus,
            size ->
                new PoolGroup(
                    group.group().trials(),
                    size,
                    startupS
                        + group.group().units()
                            * offer.profile().secondsPerUnit(size).orElseThrow()));
  }
}
