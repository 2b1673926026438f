package io.elastune.executor.rehearsal;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongFunction;

/**
 * Generates jobs to rehearse: the shape of the search, then billing terms and prices, then limits
 * from nearly none to less than the job needs, and faults.
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

  private GeneratedJobs() {}

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
