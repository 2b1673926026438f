package io.elastune.executor.rehearsal;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Generates random successive-halving jobs with spread, each with a random legal plan. */
final class RandomRehearsals {
  private static final int[] SIZES = {1, 2, 4, 8};
  private static final List<Double> SPEED_UPS = List.of(1.0, 1.87, 3.42, 5.6);

  private RandomRehearsals() {}

  /** A planning problem and a plan for it. */
  record PlannedRandomJob(Problem problem, Plan plan) {
    /**
     * Returns the job with limits and re-planning, in an environment where trials take {@code
     * slower} times as long as in their profile.
     */
    RehearsedJob replanned(
        double deadlineS, double budgetUsd, double slower, FaultRates faultRates) {
      return replanned(deadlineS, budgetUsd, slower, faultRates, RungChanges.SIZES);
    }

    /**
     * Returns the same job.
     *
     * @param changes what a new plan may change if the search is made of rungs
     */
    RehearsedJob replanned(
        double deadlineS,
        double budgetUsd,
        double slower,
        FaultRates faultRates,
        RungChanges changes) {
      RehearsedJob job = rehearsed(OptionalDouble.of(deadlineS), faultRates);
      RunDefinition fixed = job.definition();
      RunDefinition definition =
          RunDefinitionBuilder.builder(fixed)
              .budget(Optional.of(new Budget(budgetUsd, 0.8, Budget.OnReach.STOP)))
              .budgetLeftUsd(OptionalDouble.of(budgetUsd))
              .planning(
                  Optional.of(
                      new RunDefinition.Planning(
                          problem.profiles(),
                          problem.gpusPerTrial(),
                          problem.limits(),
                          problem.seed(),
                          problem.workload().rungs().map(rule -> changes),
                          Optional.empty())))
              .build()
              .withFluid(fixed.fluid())
              .withHyperSched(fixed.hyperSched())
              .withHermes(fixed.hermes());
      Profile profile = problem.profiles().get("V100").withSlowdown(slower);
      Problem world = problem.with(problem.offers(), Map.of("V100", profile));
      return new RehearsedJob(definition, world, job.keep(), faultRates);
    }

    /**
     * Returns the job with a deadline and without re-planning, for a rehearsal with {@code
     * faultRates}.
     */
    RehearsedJob rehearsed(OptionalDouble deadlineS, FaultRates faultRates) {
      RunDefinition definition =
          RunDefinitionBuilder.builder()
              .run("random-1")
              .workload(RunDefinitionFactory.workload(problem, plan))
              .plan(plan)
              .offers(
                  problem.offers().stream()
                      .collect(Collectors.toMap(Offer::name, Function.identity())))
              .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
              .maxFailures(2)
              .deadlineS(
                  problem.hyperSched().isPresent() ? problem.limits().deadlineS() : deadlineS)
              .deadlineMiss(Job.DeadlineMiss.FINISH)
              .forecasts(Map.of())
              .hangLimits(RunDefinitionFactory.hangLimits(problem, plan))
              .graceS(5)
              .running(HourlyCosts.NONE)
              .keepAlive(problem.keepAlive())
              .clusterProfile(RunDefinitionFactory.clusterProfile(problem, plan))
              .build()
              .withFluid(RunDefinitionFactory.fluid(problem, plan))
              .withHyperSched(RunDefinitionFactory.hyperSched(problem, plan))
              .withHermes(RunDefinitionFactory.hermes(problem, plan));
      return new RehearsedJob(definition, problem, 2, faultRates);
    }
  }

  /** Returns the job of {@code seed}. */
  static PlannedRandomJob of(long seed) {
    RandomStream randomStream = RandomStream.of(seed).substream("job");
    int gpus = SIZES[randomStream.intBelow(SIZES.length)];
    Offer offer = offer(randomStream, gpus);
    Workload workload = workload(randomStream);
    Problem problem =
        new Problem(
            workload,
            List.of(offer),
            Map.of("V100", profile(randomStream)),
            new IntRange(1, 8),
            new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 64, 1e9),
            HourlyCosts.NONE,
            seed);
    return new PlannedRandomJob(problem, plan(randomStream, workload, offer));
  }

  private static Offer offer(RandomStream randomStream, int gpus) {
    boolean byTheHour = randomStream.happens(0.1);
    boolean byUse = !byTheHour && randomStream.happens(0.1);
    return new Offer(
        "simulated",
        "machine",
        "V100",
        gpus,
        Market.ON_DEMAND,
        randomStream.between(0.5, 30),
        PriceKind.LIST,
        new BillingTerms(
            byUse ? BillingTerms.Per.USE : BillingTerms.Per.INSTANCE,
            byTheHour ? 3600 : 1,
            byUse ? 0 : 60,
            randomStream.happens(0.2) ? 0.01 : 0),
        new Spread(randomStream.between(0, 60), randomStream.between(0, 0.5)),
        new Spread(randomStream.between(5, 200), randomStream.between(0, 0.5)),
        randomStream.happens(0.2) ? 0.05 : 0,
        randomStream.happens(0.2) ? 0.1 : 0,
        1);
  }

  private static Workload workload(RandomStream randomStream) {
    int chains = randomStream.happens(0.2) ? 2 : 1;
    List<Chain> made = new ArrayList<>();
    for (int chain = 0; chain < chains; chain++) {
      String name = chains == 1 ? "" : Character.toString('a' + chain);
      int trials = 2 + randomStream.intBelow(40);
      int eta = 2 + randomStream.intBelow(3);
      List<TrialGroup> groups = new ArrayList<>();
      int from = 0;
      int to = 1 + randomStream.intBelow(3);
      while (groups.isEmpty() || (trials > 1 && groups.size() < 4)) {
        String prefix = name.isEmpty() ? "" : name + ".";
        groups.add(new TrialGroup(prefix + (groups.size() + 1), trials, from, to));
        trials = Math.max(1, trials / eta);
        from = to;
        to *= eta;
      }
      made.add(new Chain(name, groups));
    }
    return new Workload(made);
  }

  private static Profile profile(RandomStream randomStream) {
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    double one = randomStream.between(5, 120);
    for (int i = 0; i < SIZES.length; i++) {
      seconds.put(SIZES[i], one / SPEED_UPS.get(i));
    }
    return Profile.builder(
            "program",
            "V100",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "synthetic", 1),
            seconds)
        .secondsBySharing(new TreeMap<>(Map.of(2, one * 1.6)))
        .startupS(new Spread(randomStream.between(0, 30), randomStream.between(0, 0.4)))
        .trialCv(randomStream.between(0, 0.1))
        .unitCv(randomStream.between(0, 0.2))
        .straggler(randomStream.happens(0.2) ? new Straggler(0.02, 3) : Straggler.NONE)
        .samples(randomStream.happens(0.1) ? List.of(0.9, 1.0, 1.3) : List.of())
        .instanceCv(randomStream.happens(0.2) ? 0.05 : 0)
        .instanceStraggler(randomStream.happens(0.1) ? new Straggler(0.05, 1.5) : Straggler.NONE)
        .build();
  }

  private static Plan plan(RandomStream randomStream, Workload workload, Offer offer) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : workload.groups()) {
      int size = SIZES[randomStream.intBelow(SIZES.length)];
      while (!offer.isLegalSize(size)) {
        size = SIZES[randomStream.intBelow(SIZES.length)];
      }
      int team = Math.max(1, size / offer.gpus());
      int instances = team + randomStream.intBelow(8);
      int sharing = size == 1 && randomStream.happens(0.2) ? 2 : 1;
      allocations.put(group.name(), new Allocation(offer.name(), instances, size, sharing));
    }
    return new Plan(false, allocations);
  }
}
