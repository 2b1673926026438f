package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Executes random searches that end when a trial reaches a metric, with all kinds of faults: every
 * guarantee holds, and every trial is accounted for, also if a killed controller had ended the
 * search.
 */
class TargetRehearsalTest {
  private static final int JOBS = Tier.runs("elastune.rehearsal.target", 8, 250);
  private static final int EXACT_JOBS = Tier.runs("elastune.fidelity.target", 2, 30);
  private static final int SEEDS = 6;
  private static final double TARGET = 0.5;
  private static final List<Double> TARGETS = List.of(0.9, TARGET, 0.75);

  static Stream<LongFunction<PlannedRandomJob>> searches() {
    return Stream.of(
        RandomRehearsals::of,
        PopulationRehearsalTest::job,
        RandomPools::of,
        seed -> RungFidelityTest.job(seed, Variant.PROMOTION),
        seed -> RungFidelityTest.job(seed, Variant.STOPPING));
  }

  @ParameterizedTest
  @MethodSource("searches")
  void keepsAllGuaranteesUnderHeavyFaults(LongFunction<PlannedRandomJob> search) {
    Set<Integer> exits = new HashSet<>();
    int shorter = 0;
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = search.apply(seed);
      Rehearsal rehearsal = rehearsal(job, OptionalDouble.of(TARGET), FaultRates.HEAVY);
      for (int run = 0; run < SEEDS; run++) {
        RehearsedRun rehearsed = rehearsal.run(run);
        assertThat(rehearsed.violations()).as("job %d, seed %d", seed, run).isEmpty();
        exits.add(rehearsed.exit());
      }
      double targetS =
          rehearsal(job, OptionalDouble.of(TARGET), FaultRates.NONE).run(1).completionS();
      double wholeS = rehearsal(job, OptionalDouble.empty(), FaultRates.NONE).run(1).completionS();
      assertThat(targetS).isLessThanOrEqualTo(wholeS);
      shorter += targetS < wholeS ? 1 : 0;
    }
    assertThat(exits).contains(0);
    assertThat(shorter).isPositive();
  }

  static Stream<LongFunction<PlannedRandomJob>> exactSearches() {
    return Stream.concat(KeepAliveRehearsalTest.searches(), Stream.of(RandomHyperSchedJobs::of));
  }

  /** With learning curves, a prediction ends when the run does. */
  @ParameterizedTest
  @MethodSource("exactSearches")
  void executesThePredictionWithCurves(LongFunction<PlannedRandomJob> search) {
    LongFunction<PlannedRandomJob> jobs =
        seed -> ending(search.apply(seed), OptionalDouble.of(TARGETS.get((int) (seed % 3))));

    assertThat(DifferentExecutions.ofCurves(jobs, EXACT_JOBS, 1)).isEmpty();
  }

  private static PlannedRandomJob ending(PlannedRandomJob job, OptionalDouble target) {
    Problem problem = job.problem().withWorkload(job.problem().workload().withTarget(target));
    return new PlannedRandomJob(problem, job.plan());
  }

  private static Rehearsal rehearsal(
      PlannedRandomJob job, OptionalDouble target, FaultRates faults) {
    return new Rehearsal(ending(job, target).rehearsed(OptionalDouble.empty(), faults));
  }
}
