package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.LearningCurves;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Compares executed with predicted results of asynchronous searches (docs/searches.md). */
class RungFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.rungs", 2, 20);
  private static final double ROUNDING = 1e-7;
  private static final int FAULTY_JOBS = Tier.runs("elastune.fidelity.rungFaults", 1, 15);
  private static final IndependentDraws FAULTY = IndependentDraws.of(20_000, 400);
  private static final IndependentDraws DRAWS = IndependentDraws.of(20_000, 200);

  @Test
  void independentDrawsConfirmThePrediction() {
    assertThat(DRAWS.off("with rungs", JOBS, seed -> job(seed, Variant.PROMOTION))).isEmpty();
  }

  @Test
  void independentDrawsConfirmThePredictionOfStoppedTrials() {
    assertThat(DRAWS.off("with rungs, stopping", JOBS, seed -> job(seed, Variant.STOPPING)))
        .isEmpty();
  }

  @Test
  void independentDrawsConfirmThePredictionOfFaults() {
    assertThat(FAULTY.off("with rungs and faults", FAULTY_JOBS, RungFidelityTest::faulty))
        .isEmpty();
  }

  private static PlannedRandomJob faulty(long seed) {
    return FaultyJobs.of(job(seed, seed % 3 == 0 ? Variant.STOPPING : Variant.PROMOTION));
  }

  /**
   * Without spread, with known ranks: the execution equals the prediction, although many tasks end
   * at the same time.
   */
  @Test
  void executesThePredictionToTheDigit() {
    for (Variant variant : Variant.values()) {
      for (long seed = 1; seed <= 60; seed++) {
        PlannedRandomJob job = exactly(job(seed, variant));
        Estimate predicted =
            new Simulator(job.problem(), 1, 1, RankModel.recorded(curves(job)))
                .simulate(job.plan());
        RehearsedRun run =
            new Rehearsal(
                    rehearsed(job),
                    (number, state) ->
                        KnownCurves.environment(job, number, trial -> 1, RungFidelityTest::inOrder))
                .run(seed);

        assertThat(run.violations()).as("%s %d", variant, seed).isEmpty();
        assertThat(PredictionGap.relative(run.completionS(), predicted.completionS().mean()))
            .as("time of %s %d: %s, %s", variant, seed, job.plan(), job.problem().workload())
            .isLessThan(ROUNDING);
        assertThat(PredictionGap.relative(run.costUsd(), predicted.costUsd().mean()))
            .as("cost of %s %d: %s, %s", variant, seed, job.plan(), job.problem().workload())
            .isLessThan(ROUNDING);
      }
    }
  }

  private static RehearsedJob rehearsed(PlannedRandomJob job) {
    return job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
  }

  /** The first trial is always the best one. */
  private static double inOrder(int trial, int unit) {
    return 1.0 / trial;
  }

  private static LearningCurves curves(PlannedRandomJob job) {
    return KnownCurves.curves(job, RungFidelityTest::inOrder, trial -> OptionalDouble.empty());
  }

  static PlannedRandomJob job(long seed, Variant variant) {
    RandomStream random = RandomStream.of(seed).substream("rungs");
    Problem base = RandomRehearsals.of(seed).problem();
    Offer offer = base.offers().get(0);
    int eta = 2 + random.intBelow(3);
    List<Integer> targets = new ArrayList<>(List.of(1 + random.intBelow(3)));
    int rungs = 2 + random.intBelow(3);
    while (targets.size() < rungs) {
      targets.add(targets.get(targets.size() - 1) * eta);
    }
    RungRule rule =
        new RungRule(
                targets,
                4 + random.intBelow(30),
                eta,
                variant,
                true,
                // A discarded trial ends a moment later, when a new one may have started elsewhere.
                random.happens(0.3) && variant == Variant.PROMOTION
                    ? OptionalInt.of(1 + random.intBelow(6))
                    : OptionalInt.empty(),
                random.happens(0.2) ? OptionalInt.of(1) : OptionalInt.empty(),
                false)
            .withBrackets(brackets(seed, rungs))
            .withTime(time(seed, base, targets));
    int instances = 1 + random.intBelow(4);
    int open = size(random, offer);
    int closing = variant == Variant.STOPPING ? open : size(random, offer);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put(Workload.OPEN, new Allocation(offer.name(), instances, open, 1));
    allocations.put(
        Workload.CLOSING, new Allocation(offer.name(), 1 + random.intBelow(instances), closing, 1));
    return new PlannedRandomJob(
        base.withWorkload(Workload.of(rule)), new Plan(random.happens(0.2), allocations));
  }

  /** Every fifth job ends at a time. */
  private static Optional<RungRule.TimeLimit> time(long seed, Problem base, List<Integer> targets) {
    if (seed % 5 != 0) {
      return Optional.empty();
    }
    Offer offer = base.offers().get(0);
    double bootS = offer.queueS().mean() + offer.bootS().mean();
    double trainS =
        base.profiles().get("V100").secondsPerUnit(1).orElseThrow()
            * targets.get(targets.size() - 1);
    double share = RandomStream.of(seed).substream("time").between(1.5, 3);
    double seconds = Math.rint(bootS + share * trainS); // the runtime ticks in whole seconds
    return Optional.of(new RungRule.TimeLimit(OptionalDouble.of(seconds)));
  }

  /** Every second job is asynchronous Hyperband. */
  private static int brackets(long seed, int rungs) {
    RandomStream random = RandomStream.of(seed).substream("brackets");
    return seed % 2 == 0 ? 2 + random.intBelow(rungs - 1) : 1;
  }

  private static int size(RandomStream random, Offer offer) {
    int size = 1;
    while (size < offer.gpus() && random.happens(0.5)) {
      size *= 2;
    }
    return size;
  }

  static PlannedRandomJob exactly(PlannedRandomJob job) {
    Offer offer = job.problem().offers().get(0);
    Profile profile = job.problem().profiles().get("V100");
    Offer fixed =
        offer.withProvisioning(
            Spread.exactly(offer.queueS().mean()), Spread.exactly(offer.bootS().mean()));
    Problem problem = job.problem().with(List.of(fixed), Map.of("V100", exactly(profile)));
    return new PlannedRandomJob(problem, job.plan());
  }

  private static Profile exactly(Profile p) {
    return ProfileBuilder.builder(p)
        .startupS(Spread.exactly(p.startupS().mean()))
        .checkpointS(Spread.NONE)
        .trialCv(0)
        .unitCv(0)
        .straggler(Straggler.NONE)
        .samples(List.of())
        .instanceCv(0)
        .instanceStraggler(Straggler.NONE)
        .provisioning(List.of())
        .build();
  }
}
