package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.GuardEstimator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random jobs without a budget, with their spending guards, in the simulated environment. */
class SpendingGuardRehearsalTest {
  private static final int JOBS = Tier.runs("elastune.guard.jobs", 2, 60);
  private static final int RUNS = Tier.runs("elastune.guard.runs", 8, 160);
  private static final int BUDGET_REACHED = 11;

  /** A deadline that every run meets, so that no run may be stopped. */
  private static final OptionalDouble FAR = OptionalDouble.of(1e6);

  @Test
  void predictedFaultsDoNotReachTheGuard() {
    assertFewReachTheGuard(random(RandomRehearsals::of, JOBS));
    assertFewReachTheGuard(
        random(seed -> RungFidelityTest.job(seed, RungRule.Variant.PROMOTION), (JOBS + 2) / 3));
  }

  /** Their predictions omit some faults, but their guards do not. */
  @Tag(Tier.NIGHTLY)
  @Test
  void faultsThatPredictionsOmitDoNotReachTheGuard() {
    List<LongFunction<PlannedRandomJob>> sources =
        List.of(
            RandomFluidJobs::of,
            RandomFluidJobs::ofRungs,
            RandomHermesJobs::of,
            RandomHyperSchedJobs::of);

    assertFewReachTheGuard(
        sources.stream().flatMap(source -> random(source, (JOBS + 5) / 6).stream()).toList());
  }

  private static List<PlannedRandomJob> random(LongFunction<PlannedRandomJob> source, int count) {
    return LongStream.rangeClosed(1, count).mapToObj(source).toList();
  }

  private static void assertFewReachTheGuard(List<PlannedRandomJob> jobs) {
    long reached = 0;
    for (PlannedRandomJob random : jobs) {
      RehearsedJob job = job(random, OptionalDouble.empty(), 1, FaultRates.NONE);
      Problem faulty = random.problem().withDefaultFaults();
      List<RehearsedRun> runs =
          runs(new RehearsedJob(job.definition(), faulty, job.keep(), FaultRates.NONE), RUNS);
      assertThat(runs).flatMap(RehearsedRun::violations).isEmpty();
      double guard = job.definition().budgetLeftUsd().orElseThrow();
      reached +=
          runs.stream()
              .filter(run -> run.exit() == BUDGET_REACHED || run.costUsd() > guard)
              .count();
    }
    int runs = jobs.size() * RUNS;
    System.out.printf("%d of %d runs reached their spending guard%n", reached, runs);
    assertThat(reached / (double) runs).isLessThan(0.001);
  }

  @Test
  void slowTrialsDoNotStopARunThatCanMeetItsDeadline() {
    List<RehearsedRun> runs = new ArrayList<>();
    int beyond = 0;
    for (long seed = 1; seed <= JOBS; seed++) {
      RehearsedJob job = job(RandomRehearsals.of(seed), FAR, 3, FaultRates.NONE);
      List<RehearsedRun> some = runs(job, RUNS / 4);
      double guard = job.definition().budgetLeftUsd().orElseThrow();
      beyond += (int) some.stream().filter(run -> run.costUsd() > guard).count();
      runs.addAll(some);
    }

    assertThat(beyond).isPositive();
    assertThat(runs).flatMap(RehearsedRun::violations).isEmpty();
    assertThat(runs).extracting(RehearsedRun::exit).doesNotContain(BUDGET_REACHED);
  }

  @Test
  void heavyFaultsAndKilledControllersViolateNothing() {
    List<RehearsedRun> runs = new ArrayList<>();
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob random = RandomRehearsals.of(seed);
      runs.addAll(runs(job(random, FAR, 1, FaultRates.HEAVY), RUNS));
      runs.addAll(runs(job(random, OptionalDouble.empty(), 1, FaultRates.HEAVY), RUNS));
    }

    assertThat(runs).flatMap(RehearsedRun::violations).isEmpty();
  }

  /**
   * The only instance was lost and its replacement refused while its trials were still being ended:
   * the run took them for trials that train, kept its plan, and never ended.
   */
  @ParameterizedTest
  @CsvSource({"1, 155", "5, 46"})
  void lostInstanceWithoutReplacementEndsTheRun(long job, long seed) {
    RehearsedJob random =
        job(RandomRehearsals.of(job), OptionalDouble.empty(), 1, FaultRates.HEAVY);

    assertThat(new Rehearsal(random).run(seed).violations()).isEmpty();
  }

  /** Leases that the cloud had never launched were billed for the transfer of data to them. */
  @Test
  void leasesThatNeverExistedCostNothing() {
    RehearsedJob random = job(RandomRehearsals.of(3), OptionalDouble.empty(), 1, FaultRates.HEAVY);

    assertThat(new Rehearsal(random).run(1045).violations()).isEmpty();
  }

  private static RehearsedJob job(
      PlannedRandomJob random, OptionalDouble deadlineS, double slower, FaultRates faultRates) {
    double guardUsd = GuardEstimator.usd(random.problem(), random.plan(), 1);
    RehearsedJob job = random.replanned(FAR.getAsDouble(), guardUsd, slower, faultRates);
    RunDefinition guarded =
        job.definition()
            .withLimits(
                Optional.empty(),
                OptionalDouble.of(guardUsd),
                random.problem().hyperSched().isPresent()
                    ? random.problem().limits().deadlineS()
                    : deadlineS);
    return new RehearsedJob(guarded, job.problem(), job.keep(), faultRates);
  }

  private static List<RehearsedRun> runs(RehearsedJob job, int count) {
    Rehearsal rehearsal = new Rehearsal(job);
    List<RehearsedRun> runs = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      runs.add(rehearsal.run(i));
    }
    return runs;
  }
}
