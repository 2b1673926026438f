package io.elastune.executor.rehearsal;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.HermesOptions;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.RandomStream;
import java.util.List;
import java.util.Map;

/** Random searches on fixed clusters on whose GPUs trials take turns (docs/searches.md). */
final class RandomHermesJobs {
  private RandomHermesJobs() {}

  static PlannedRandomJob of(long seed) {
    RandomStream random = RandomStream.of(seed).substream("hermes");
    Problem base = RandomRehearsals.of(seed).problem();
    Offer offer = base.offers().get(0);
    int instances = 1 + random.intBelow(3);
    TrialGroup group = new TrialGroup("1", 1 + random.intBelow(30), 0, 1 + random.intBelow(16));
    HermesOptions options =
        new HermesOptions(1 + random.intBelow(4), 2 + random.intBelow(3), false);
    Problem problem =
        base.withWorkload(new Workload(List.of(new Chain("", List.of(group)))))
            .with(
                base.offers(),
                Map.of("V100", RandomFluidJobs.sharing(random, base.profiles().get("V100"))))
            .withCluster(new FixedCluster(instances, options));
    return new PlannedRandomJob(
        problem, new Plan(true, Map.of("1", new Allocation(offer.name(), instances, 1, 1))));
  }
}
