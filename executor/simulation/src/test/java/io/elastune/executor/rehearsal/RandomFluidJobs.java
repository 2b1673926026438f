package io.elastune.executor.rehearsal;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.RandomStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Random jobs on fixed clusters that Fluid divides among the trials (docs/searches.md). */
final class RandomFluidJobs {
  private RandomFluidJobs() {}

  static PlannedRandomJob of(long seed) {
    RandomStream random = RandomStream.of(seed).substream("fluid");
    Problem separate = RandomRehearsals.of(seed).problem();
    // Brackets run one after another.
    Problem base =
        separate.withWorkload(
            new Workload(List.of(new Chain("all", separate.workload().groups()))));
    return divided(random, base);
  }

  /** The same with trials of different speeds, as the profile expects by their hyperparameters. */
  static PlannedRandomJob ofConfigurations(long seed) {
    PlannedRandomJob job = of(seed);
    Problem problem = job.problem();
    RandomStream random = RandomStream.of(seed).substream("configurations");
    List<Map<String, Object>> trials =
        IntStream.rangeClosed(1, problem.workload().trials())
            .mapToObj(trial -> Map.<String, Object>of("width", random.between(1, 4)))
            .toList();
    ConfigurationEffect.Term width =
        new ConfigurationEffect.Term("width", Optional.empty(), true, 0, Math.log(4), 1);
    ConfigurationEffect effect = new ConfigurationEffect(List.of(width), 1, 0, 0.9, 20, List.of());
    Profile profile =
        ProfileBuilder.builder(problem.profiles().get("V100"))
            .samples(List.of())
            .configurations(effect)
            .build()
            .forTrials(trials);
    return new PlannedRandomJob(
        problem.with(problem.offers(), Map.of("V100", profile)), job.plan());
  }

  /** Random asynchronous searches on such clusters. */
  static PlannedRandomJob ofRungs(long seed) {
    RandomStream random = RandomStream.of(seed).substream("fluid");
    Problem base = RungFidelityTest.job(seed, RungRule.Variant.PROMOTION).problem();
    return divided(random, base);
  }

  private static PlannedRandomJob divided(RandomStream random, Problem base) {
    Offer offer = base.offers().get(0);
    Profile profile = sharing(random, base.profiles().get("V100"));
    int instances = 1 + random.intBelow(4);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : base.workload().groups()) {
      allocations.put(group.name(), new Allocation(offer.name(), instances, 1, 1));
    }
    Problem problem =
        base.with(base.offers(), Map.of("V100", profile))
            .withCluster(new FixedCluster(instances, options(random)));
    return new PlannedRandomJob(problem, new Plan(true, allocations));
  }

  /** Two or three trials on a GPU save 3 to 40 % of its time each. */
  static Profile sharing(RandomStream random, Profile profile) {
    double alone = profile.secondsPerUnit(1).orElseThrow();
    double saving = 0.03 + 0.37 * random.fraction();
    TreeMap<Integer, Double> shared = new TreeMap<>();
    double seconds = alone;
    int most = 1 + random.intBelow(3);
    for (int trials = 2; trials <= most; trials++) {
      seconds *= (1 - saving) * trials / (trials - 1.0);
      shared.put(trials, seconds);
    }
    Profile p = profile;
    return ProfileBuilder.builder(p)
        .secondsBySharing(shared)
        .checkpointS(new Spread(random.between(0, 10), random.between(0, 0.3)))
        .build();
  }

  private static FluidOptions options(RandomStream random) {
    return new FluidOptions(
        random.happens(0.8),
        random.happens(0.2) ? OptionalInt.of(1 + random.intBelow(4)) : OptionalInt.empty(),
        OptionalInt.empty(),
        FluidOptions.DEFAULT_SHARE_GAIN,
        random.happens(0.3)
            ? Optional.of(Duration.ofNanos(Math.round(20e9 * random.fraction())))
            : Optional.empty());
  }
}
