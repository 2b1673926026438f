package io.elastune.executor.rehearsal;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.profile.Profile;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Random searches that HyperSched runs until their deadlines (docs/searches.md). */
final class RandomHyperSchedJobs {
  private RandomHyperSchedJobs() {}

  static PlannedRandomJob of(long seed) {
    RandomStream random = RandomStream.of(seed).substream("hypersched");
    Problem base = RandomRehearsals.of(seed).problem();
    Offer offer = base.offers().get(0);
    Profile profile = base.profiles().get("V100");
    RungRule rule = rule(random);
    double trialS = rule.target(rule.lastRung()) * profile.secondsPerUnit(1).orElseThrow();
    double deadlineS = // in whole seconds, in which the runtime ticks
        Math.rint(offer.queueS().mean() + offer.bootS().mean() + trialS * random.between(0.5, 3));
    Limits limits = new Limits(OptionalDouble.of(deadlineS), OptionalDouble.empty(), 0.95, 64, 1e9);
    int instances = 1 + random.intBelow(3);
    Allocation all = new Allocation(offer.name(), instances, 1, 1);
    HyperSchedOptions options = new HyperSchedOptions(1.1, 1 + random.intBelow(5), false);
    Problem problem =
        base.withWorkload(Workload.of(rule))
            .withLimits(limits)
            .withCluster(new FixedCluster(instances, options));
    return new PlannedRandomJob(
        problem, new Plan(true, Map.of(Workload.OPEN, all, Workload.CLOSING, all)));
  }

  private static RungRule rule(RandomStream random) {
    int eta = 2 + random.intBelow(3);
    List<Integer> targets = new ArrayList<>(List.of(1 + random.intBelow(2)));
    int rungs = 2 + random.intBelow(3);
    while (targets.size() < rungs) {
      targets.add(targets.get(targets.size() - 1) * eta);
    }
    return new RungRule(
        targets,
        4 + random.intBelow(40),
        eta,
        RungRule.Variant.STOPPING,
        false,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }
}
