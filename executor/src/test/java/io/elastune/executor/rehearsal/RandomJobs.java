package io.elastune.executor.rehearsal;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.RunningCosts;
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
import io.elastune.core.profile.Measured;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.Faults;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Generates random successive-halving jobs with spread, each with a random legal plan. */
final class RandomJobs {
  private static final int[] SIZES = {1, 2, 4, 8};
  private static final List<Double> SPEED_UPS = List.of(1.0, 1.87, 3.42, 5.6);

  private RandomJobs() {}

  /** A planning problem and a plan for it. */
  record Planned(Problem problem, Plan plan) {
    /**
     * Returns the job with limits and re-planning, in an environment where trials take {@code
     * slower} times as long as in their profile.
     */
    RehearsedJob replanned(double deadlineS, double budgetUsd, double slower, Faults faults) {
      RehearsedJob job = rehearsed(OptionalDouble.of(deadlineS), faults);
      RunDefinition fixed = job.definition();
      RunDefinition definition =
          new RunDefinition(
              fixed.run(),
              fixed.workload(),
              fixed.plan(),
              fixed.offers(),
              fixed.metric(),
              fixed.maxFailures(),
              fixed.budget(),
              OptionalDouble.of(budgetUsd),
              fixed.deadlineS(),
              fixed.deadlineMiss(),
              fixed.forecasts(),
              fixed.watchdogS(),
              fixed.graceS(),
              fixed.running(),
              Optional.of(
                  new RunDefinition.Planning(
                      problem.profiles(),
                      problem.gpusPerTrial(),
                      problem.limits(),
                      problem.seed())));
      Profile profile = problem.profiles().get("V100").slowed(slower);
      Problem world = problem.with(problem.offers(), Map.of("V100", profile));
      return new RehearsedJob(definition, world, job.keep(), faults);
    }

    /**
     * Returns the job with a deadline and without re-planning, for a rehearsal with {@code faults}.
     */
    RehearsedJob rehearsed(OptionalDouble deadlineS, Faults faults) {
      RunDefinition definition =
          new RunDefinition(
              "random-1",
              problem.workload(),
              plan,
              Map.of(problem.offers().get(0).name(), problem.offers().get(0)),
              new Metric("acc", Metric.Goal.MAXIMIZE),
              2,
              Optional.empty(),
              OptionalDouble.empty(),
              deadlineS,
              Job.DeadlineMiss.FINISH,
              Map.of(),
              RunDefinitionFactory.watchdogs(problem, plan),
              5,
              RunningCosts.NONE);
      return new RehearsedJob(definition, problem, 2, faults);
    }
  }

  /** Returns the job of {@code seed}. */
  static Planned of(long seed) {
    Chance chance = Chance.of(seed).at("job");
    int gpus = SIZES[chance.below(SIZES.length)];
    Offer offer = offer(chance, gpus);
    Workload workload = workload(chance);
    Problem problem =
        new Problem(
            workload,
            List.of(offer),
            Map.of("V100", profile(chance)),
            new IntRange(1, 8),
            new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 64, 1e9),
            RunningCosts.NONE,
            seed);
    return new Planned(problem, plan(chance, workload, offer));
  }

  private static Offer offer(Chance chance, int gpus) {
    boolean byTheHour = chance.happens(0.1);
    boolean byUse = !byTheHour && chance.happens(0.1);
    return new Offer(
        "simulated",
        "machine",
        "V100",
        gpus,
        Market.ON_DEMAND,
        chance.between(0.5, 30),
        PriceKind.LIST,
        new BillingTerms(
            byUse ? BillingTerms.Per.USE : BillingTerms.Per.INSTANCE,
            byTheHour ? 3600 : 1,
            byUse ? 0 : 60,
            chance.happens(0.2) ? 0.01 : 0),
        new Spread(chance.between(0, 60), chance.between(0, 0.5)),
        new Spread(chance.between(5, 200), chance.between(0, 0.5)),
        chance.happens(0.2) ? 0.05 : 0,
        chance.happens(0.2) ? 0.1 : 0,
        1);
  }

  private static Workload workload(Chance chance) {
    int chains = chance.happens(0.2) ? 2 : 1;
    List<Chain> made = new ArrayList<>();
    for (int chain = 0; chain < chains; chain++) {
      String name = chains == 1 ? "" : Character.toString('a' + chain);
      int trials = 2 + chance.below(40);
      int eta = 2 + chance.below(3);
      List<TrialGroup> groups = new ArrayList<>();
      int from = 0;
      int to = 1 + chance.below(3);
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

  private static Profile profile(Chance chance) {
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    double one = chance.between(5, 120);
    for (int i = 0; i < SIZES.length; i++) {
      seconds.put(SIZES[i], one / SPEED_UPS.get(i));
    }
    return new Profile(
        "program",
        "V100",
        "epoch",
        new Measured(Instant.EPOCH, "synthetic", 1),
        seconds,
        new TreeMap<>(Map.of(2, one * 1.6)),
        new Spread(chance.between(0, 30), chance.between(0, 0.4)),
        Spread.NONE,
        chance.between(0, 0.1),
        chance.between(0, 0.2),
        chance.happens(0.2) ? new Straggler(0.02, 3) : Straggler.NONE,
        chance.happens(0.1) ? List.of(0.9, 1.0, 1.3) : List.of(),
        chance.happens(0.2) ? 0.05 : 0,
        chance.happens(0.1) ? new Straggler(0.05, 1.5) : Straggler.NONE,
        List.of());
  }

  private static Plan plan(Chance chance, Workload workload, Offer offer) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : workload.groups()) {
      int size = SIZES[chance.below(SIZES.length)];
      while (!offer.isLegalSize(size)) {
        size = SIZES[chance.below(SIZES.length)];
      }
      int team = Math.max(1, size / offer.gpus());
      int instances = team + chance.below(8);
      int sharing = size == 1 && chance.happens(0.2) ? 2 : 1;
      allocations.put(group.name(), new Allocation(offer.name(), instances, size, sharing));
    }
    return new Plan(false, allocations);
  }
}
