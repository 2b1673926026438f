package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.profile.Profile;
import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Executes random searches whose workers wait for the next attempt of their trial, and compares
 * them with their predictions (docs/model.md, "Programs that wait").
 */
class KeepAliveRehearsalTest {
  private static final int EXACT_JOBS = Tier.runs("elastune.fidelity.waiting", 12, 100);
  private static final int JOBS = Tier.runs("elastune.rehearsal.waiting", 6, 100);

  static Stream<LongFunction<PlannedRandomJob>> searches() {
    return Stream.of(
        RandomRehearsals::of,
        PopulationRehearsalTest::job,
        RandomPools::of,
        seed -> RungFidelityTest.job(seed, Variant.PROMOTION),
        seed -> RungFidelityTest.job(seed, Variant.STOPPING),
        RandomFluidJobs::ofRungs);
  }

  /** With stopping, trials train on in one attempt. */
  static Stream<LongFunction<PlannedRandomJob>> searchesThatStartAgain() {
    return searches().limit(4);
  }

  /** With learning curves, it is known which trials continue. */
  @ParameterizedTest
  @MethodSource("searches")
  void executesThePrediction(LongFunction<PlannedRandomJob> search) {
    assertThat(DifferentExecutions.ofCurves(seed -> waiting(search.apply(seed)), EXACT_JOBS, 1))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("searches")
  void keepsAllGuaranteesUnderHeavyFaults(LongFunction<PlannedRandomJob> search) {
    for (long seed = 1; seed <= JOBS; seed++) {
      Rehearsal rehearsal =
          new Rehearsal(
              waiting(search.apply(seed)).rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));
      for (int run = 0; run < 4; run++) {
        assertThat(rehearsal.run(run).violations()).as("job %d, seed %d", seed, run).isEmpty();
      }
    }
  }

  /** Otherwise the other tests would compare runs whose programs never wait. */
  @ParameterizedTest
  @MethodSource("searchesThatStartAgain")
  void programsThatWaitSaveTime(LongFunction<PlannedRandomJob> search) {
    double startedS = 0;
    double waitedS = 0;
    for (long seed = 1; seed <= EXACT_JOBS; seed++) {
      PlannedRandomJob job = search.apply(seed);
      startedS += completionS(job(job, false));
      waitedS += completionS(job(job, true));
    }
    assertThat(waitedS).isLessThan(startedS - 1);
  }

  private static double completionS(PlannedRandomJob job) {
    return new Simulator(job.problem(), 64).simulate(job.plan()).completionS().mean();
  }

  static PlannedRandomJob waiting(PlannedRandomJob job) {
    return job(job, true);
  }

  /** A job with long start-ups. */
  private static PlannedRandomJob job(PlannedRandomJob job, boolean waits) {
    Map<String, Profile> profiles = new HashMap<>();
    job.problem()
        .profiles()
        .forEach((gpu, known) -> profiles.put(gpu, known.withStartup(new Spread(40, 0.2))));
    Problem problem = job.problem().with(job.problem().offers(), profiles);
    return new PlannedRandomJob(problem.withKeepAlive(waits), job.plan());
  }
}
