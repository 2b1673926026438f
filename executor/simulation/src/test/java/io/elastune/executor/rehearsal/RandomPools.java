package io.elastune.executor.rehearsal;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.RandomStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Random jobs whose chains share instances (docs/searches.md). */
final class RandomPools {
  private RandomPools() {}

  static PlannedRandomJob of(long seed) {
    RandomStream random = RandomStream.of(seed).substream("pool");
    Problem base = RandomRehearsals.of(seed).problem();
    Offer offer = base.offers().get(0);
    Workload workload = workload(random);
    int instances = 1 + random.intBelow(4);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : workload.groups()) {
      allocations.put(
          group.name(), new Allocation(offer.name(), instances, size(random, offer), 1));
    }
    return new PlannedRandomJob(
        base.withWorkload(workload), new Plan(random.happens(0.2), true, allocations));
  }

  private static Workload workload(RandomStream random) {
    List<Chain> chains = new ArrayList<>();
    int count = 2 + random.intBelow(3);
    for (int chain = 0; chain < count; chain++) {
      String name = Character.toString('a' + chain);
      int trials = 1 + random.intBelow(16);
      int eta = 2 + random.intBelow(3);
      List<TrialGroup> groups = new ArrayList<>();
      int from = 0;
      int to = 1 + random.intBelow(4);
      int length = 1 + random.intBelow(4);
      while (groups.size() < length) {
        groups.add(new TrialGroup(name + "." + (groups.size() + 1), trials, from, to));
        trials = Math.max(1, trials / eta);
        from = to;
        to += 1 + random.intBelow(2 * to);
      }
      chains.add(new Chain(name, groups));
    }
    return new Workload(chains);
  }

  private static int size(RandomStream random, Offer offer) {
    int size = 1;
    while (size < offer.gpus() && random.happens(0.5)) {
      size *= 2;
    }
    return size;
  }
}
