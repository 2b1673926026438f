package io.elastune.executor.rehearsal;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.executor.decision.model.ClockError;
import io.elastune.executor.decision.model.PatienceRule;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.BillingMeter;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.FaultRatesBuilder;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.simulator.Simulator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Generates jobs to rehearse: the shape of the search, then billing terms and prices, then limits
 * from nearly none to less than the job needs, and faults. {@link #varied} adds the other policies,
 * markets and storms, spare instances, targets, guards, and clocks.
 */
final class GeneratedJobs {
  private static final int SAMPLES = 64;
  private static final double[] GRANULES_S = {0.001, 1, 1, 1, 60, 600, 3600};
  private static final double[] MINIMUMS_S = {0, 0, 60, 60, 600, 3600};

  private static final List<LongFunction<PlannedRandomJob>> SHAPES =
      List.of(
          RandomRehearsals::of,
          RandomRehearsals::of,
          RandomPools::of,
          seed -> RungFidelityTest.job(seed, Variant.PROMOTION),
          seed -> RungFidelityTest.job(seed, Variant.STOPPING),
          PopulationRehearsalTest::job,
          RandomFluidJobs::of,
          RandomHyperSchedJobs::of);

  private static final List<LongFunction<PlannedRandomJob>> ALL_SHAPES =
      Stream.concat(
              SHAPES.stream(),
              Stream.<LongFunction<PlannedRandomJob>>of(
                  RandomFluidJobs::ofRungs,
                  RandomFluidJobs::ofConfigurations,
                  RandomHermesJobs::of))
          .toList();

  private static final double RELEASE_S = 5;
  private static final double[] NOTICES_S = {0, 30, 120};
  private static final double[] TOGETHER = {0, 0.5, 0.95};
  private static final double[] JUMPS_S = {0, 30, ClockError.MOST_S};

  /** Mean times without a controller: nodes shut themselves down during the last one. */
  private static final double[] AWAY_S = {20, 120, 1800};

  private static final double[] STEPS_TO_KILL = {30, 100, 1000};

  /** A controller that is away for longer every few steps would make a run last for days. */
  private static final double LONG_AWAY_S = 120;

  private static final double STEPS_WHERE_LONG_AWAY = 100;
  private static final double MANY_STEPS = 2000;

  private GeneratedJobs() {}

  /** Returns a job of any search and policy with any market, limit and clock. */
  static RehearsedJob varied(long seed) {
    RandomStream random = RandomStream.of(seed).substream("varied");
    PlannedRandomJob shape = ALL_SHAPES.get(random.intBelow(ALL_SHAPES.size())).apply(seed);
    PlannedRandomJob job = spare(random, target(random, market(random, priced(random, shape))));
    FaultRates faults = clocks(random, random.happens(0.6) ? FaultRates.HEAVY : FaultRates.NORMAL);
    Estimate predicted = new Simulator(job.problem(), SAMPLES).simulate(job.plan());
    double deadlineS = predicted.completionS().mean() * random.between(0.7, 5);
    double usd = budgetUsd(random, job, predicted.costUsd().mean());
    boolean replans = random.happens(0.3);
    RehearsedJob rehearsed =
        replans
            ? job.replanned(deadlineS, usd, random.between(0.8, 1.5), faults)
            : job.rehearsed(
                random.happens(0.7) ? OptionalDouble.of(deadlineS) : OptionalDouble.empty(),
                faults);
    RunDefinition limited =
        options(random, limited(random, job.problem(), rehearsed.definition(), usd));
    int keep = 1 + random.intBelow(3);
    return new RehearsedJob(
        limited, rehearsed.problem(), keep, replans ? withFewKills(faults) : faults);
  }

  /** Each controller plans again, which takes a second. */
  private static FaultRates withFewKills(FaultRates faults) {
    return FaultRatesBuilder.builder(faults).killMeanSteps(MANY_STEPS).build();
  }

  /** On-demand or spot, whose instances are preempted alone or in storms. */
  private static PlannedRandomJob market(RandomStream random, PlannedRandomJob job) {
    if (random.happens(0.5)) {
      return job;
    }
    InstanceFaultRates rates =
        new InstanceFaultRates(
            FaultRate.assumed(random.between(0, 0.2)),
            random.between(0, 600),
            FaultRate.assumed(random.between(0, 0.1)),
            FaultRate.assumed(random.between(0, 0.1)),
            random.between(1, 5),
            FaultRate.assumed(random.between(0, 0.2)),
            FaultRate.assumed(random.between(0, 3)),
            NOTICES_S[random.intBelow(NOTICES_S.length)],
            TOGETHER[random.intBelow(TOGETHER.length)]);
    Problem problem = job.problem();
    Offer onDemand = problem.offers().get(0);
    Offer spot = OfferBuilder.builder(onDemand).market(Market.SPOT).faults(rates).build();
    RandomStream markets = random.substream("markets");
    boolean both = hasFixedGroups(job) && markets.happens(0.5);
    return new PlannedRandomJob(
        problem.with(both ? List.of(spot, onDemand) : List.of(spot), problem.profiles()),
        allocated(
            job.plan(),
            allocation ->
                both && markets.happens(0.5) ? allocation : allocation.withOffer(spot.name())));
  }

  /** Whether each group has instances of its own. */
  private static boolean hasFixedGroups(PlannedRandomJob job) {
    return job.problem().cluster().isEmpty()
        && job.problem().workload().rungs().isEmpty()
        && !job.plan().hold()
        && !job.plan().shared();
  }

  private static Plan allocated(Plan plan, UnaryOperator<Allocation> change) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    plan.allocations().forEach((group, one) -> allocations.put(group, change.apply(one)));
    return new Plan(plan.hold(), plan.shared(), allocations);
  }

  private static PlannedRandomJob target(RandomStream random, PlannedRandomJob job) {
    if (!random.happens(0.2)) {
      return job;
    }
    OptionalDouble metric = OptionalDouble.of(random.between(0.3, 0.95));
    Problem problem = job.problem();
    return new PlannedRandomJob(
        problem.withWorkload(problem.workload().withTarget(metric)), job.plan());
  }

  private static PlannedRandomJob spare(RandomStream random, PlannedRandomJob job) {
    return hasFixedGroups(job) && random.happens(0.3)
        ? new PlannedRandomJob(job.problem(), allocated(job.plan(), one -> one.withMoreSpare(1)))
        : job;
  }

  private static FaultRates clocks(RandomStream random, FaultRates faults) {
    double jumpS = JUMPS_S[random.intBelow(JUMPS_S.length)];
    double awayS = AWAY_S[random.intBelow(AWAY_S.length)];
    double steps = STEPS_TO_KILL[random.intBelow(STEPS_TO_KILL.length)];
    return FaultRatesBuilder.builder(faults)
        .clockJumpS(jumpS)
        .downMeanS(awayS)
        .killMeanSteps(awayS > LONG_AWAY_S ? Math.max(STEPS_WHERE_LONG_AWAY, steps) : steps)
        .build();
  }

  /** A share of the predicted cost, or little more than one instance costs at least. */
  private static double budgetUsd(RandomStream random, PlannedRandomJob job, double predictedUsd) {
    return random.happens(0.2)
        ? BillingMeter.leastUsd(job.problem().offers().get(0), RELEASE_S) * random.between(0.9, 4)
        : predictedUsd * random.between(0.3, 3);
  }

  private static RunDefinition options(RandomStream random, RunDefinition limited) {
    RunDefinitionBuilder builder = RunDefinitionBuilder.builder(limited);
    if (random.happens(0.2)) { // no budget: a guard
      builder.budget(Optional.empty());
    }
    if (random.happens(0.3)) {
      builder.waitForCapacityS(OptionalDouble.of(random.between(60, 3600)));
    }
    if (random.happens(0.2)) {
      builder.maxFailedTrials(OptionalInt.of(random.intBelow(3)));
    }
    if (random.happens(0.15)) {
      builder.patience(
          Optional.of(
              new PatienceRule(
                  OptionalInt.of(1 + random.intBelow(5)),
                  OptionalDouble.of(random.between(60, 3600)),
                  0.01)));
    }
    return builder
        .build()
        .withFluid(limited.fluid())
        .withHyperSched(limited.hyperSched())
        .withHermes(limited.hermes());
  }

  static RehearsedJob of(long seed) {
    RandomStream random = RandomStream.of(seed).substream("generated");
    PlannedRandomJob job = priced(random, SHAPES.get(random.intBelow(SHAPES.size())).apply(seed));
    FaultRates faults = random.happens(0.7) ? FaultRates.HEAVY : FaultRates.NORMAL;
    Estimate predicted = new Simulator(job.problem(), SAMPLES).simulate(job.plan());
    double deadlineS = predicted.completionS().mean() * random.between(0.7, 5);
    double usd = predicted.costUsd().mean() * random.between(0.3, 3);
    RehearsedJob rehearsed =
        random.happens(0.3)
            ? job.replanned(deadlineS, usd, random.between(0.8, 1.5), faults)
            : job.rehearsed(
                random.happens(0.7) ? OptionalDouble.of(deadlineS) : OptionalDouble.empty(),
                faults);
    RunDefinition limited = limited(random, job.problem(), rehearsed.definition(), usd);
    return new RehearsedJob(limited, rehearsed.problem(), 1 + random.intBelow(3), faults);
  }

  private static PlannedRandomJob priced(RandomStream random, PlannedRandomJob job) {
    Problem problem = job.problem();
    Offer offer =
        OfferBuilder.builder(problem.offers().get(0))
            .usdPerHour(Math.exp(random.between(Math.log(0.01), Math.log(100))))
            .billing(
                new BillingTerms(
                    random.happens(0.5) ? BillingTerms.Per.USE : BillingTerms.Per.INSTANCE,
                    GRANULES_S[random.intBelow(GRANULES_S.length)],
                    MINIMUMS_S[random.intBelow(MINIMUMS_S.length)],
                    random.happens(0.3) ? random.between(0, 1.5) : 0))
            .dataInUsd(random.happens(0.2) ? random.between(0, 0.5) : 0)
            .diskUsdPerHour(random.happens(0.2) ? random.between(0, 0.5) : 0)
            .build();
    return new PlannedRandomJob(problem.with(List.of(offer), problem.profiles()), job.plan());
  }

  private static RunDefinition limited(
      RandomStream random, Problem problem, RunDefinition definition, double usd) {
    boolean stops = random.happens(0.8);
    Budget budget = new Budget(usd, 0.8, stops ? Budget.OnReach.STOP : Budget.OnReach.FINISH_GROUP);
    boolean isRungs = problem.workload().rungs().isPresent();
    Job.DeadlineMiss[] misses = Job.DeadlineMiss.values();
    Job.DeadlineMiss miss = misses[random.intBelow(misses.length)];
    boolean legal = miss != Job.DeadlineMiss.CLOSE || isRungs;
    RunDefinition limited =
        RunDefinitionBuilder.builder(definition)
            .budget(Optional.of(budget))
            .budgetLeftUsd(OptionalDouble.of(usd))
            .deadlineMiss(legal ? miss : Job.DeadlineMiss.FINISH)
            .maxFailures(random.intBelow(4))
            .build();
    return limited
        .withFluid(definition.fluid())
        .withHyperSched(definition.hyperSched())
        .withHermes(definition.hermes());
  }
}
