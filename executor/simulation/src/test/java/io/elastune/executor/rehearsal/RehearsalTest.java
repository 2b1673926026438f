package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.simulation.FaultKind;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.FaultRatesBuilder;
import io.elastune.simulator.Simulator;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearsalTest {
  private static final int SEEDS = 100;
  private static final int JOBS = Tier.runs(6, 20);

  @Test
  void sameSeedGivesTheSameRun() {
    Rehearsal rehearsal = rehearsal(3, FaultRates.HEAVY);

    for (int seed = 1; seed <= 20; seed++) {
      assertThat(rehearsal.run(seed)).isEqualTo(rehearsal.run(seed));
    }
    assertThat(rehearsal.run(1)).isNotEqualTo(rehearsal.run(2));
  }

  @Test
  void resultIsIndependentOfTheThreadCount() {
    List<RehearsedRun> sequential =
        ParallelRehearsals.runAll(rehearsal(4, FaultRates.NORMAL), 7, SEEDS, 1, played -> {});
    List<RehearsedRun> parallel =
        ParallelRehearsals.runAll(rehearsal(4, FaultRates.NORMAL), 7, SEEDS, 3, played -> {});

    assertThat(parallel).isEqualTo(sequential);
    assertThat(sequential).extracting(RehearsedRun::seed).startsWith(7L, 8L).endsWith(106L);
  }

  @Test
  void runsWithoutFaultsSucceed() {
    for (int job = 1; job <= JOBS; job++) {
      Rehearsal rehearsal = rehearsal(job, FaultRates.NONE);
      for (int seed = 1; seed <= 5; seed++) {
        RehearsedRun run = rehearsal.run(seed);
        assertThat(run.violations()).as("job %d, seed %d", job, seed).isEmpty();
        assertThat(run.exit()).as("job %d, seed %d", job, seed).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1.2, 10})
  void faultsViolateNoInvariant(double timesTheCost) {
    for (int job = 1; job <= JOBS; job++) {
      RandomRehearsals.PlannedRandomJob plannedRandomJob = RandomRehearsals.of(job);
      double usd =
          new Simulator(plannedRandomJob.problem(), 200)
              .simulate(plannedRandomJob.plan())
              .costUsd()
              .mean();
      for (FaultRates faultRates : List.of(FaultRates.NORMAL, FaultRates.HEAVY)) {
        RehearsedJob rehearsed =
            withBudget(
                plannedRandomJob.rehearsed(OptionalDouble.empty(), faultRates), timesTheCost * usd);
        for (int seed = 1; seed <= 5; seed++) {
          RehearsedRun run = new Rehearsal(rehearsed).run(seed);
          assertThat(run.violations()).as("job %d, seed %d, %s", job, seed, faultRates).isEmpty();
        }
      }
    }
  }

  @Test
  void trialsThatEndEarlyViolateNoInvariant() {
    for (int job = 1; job <= JOBS; job++) {
      for (FaultRates faultRates : List.of(FaultRates.NONE, FaultRates.NORMAL, FaultRates.HEAVY)) {
        RandomRehearsals.PlannedRandomJob planned = RandomRehearsals.of(job);
        RehearsedJob rehearsed =
            planned.rehearsed(OptionalDouble.empty(), withEarlyEnds(faultRates, 0.5));
        for (int seed = 1; seed <= 5; seed++) {
          RehearsedRun run = new Rehearsal(rehearsed).run(seed);
          assertThat(run.violations()).as("job %d, seed %d, %s", job, seed, faultRates).isEmpty();
          if (faultRates.equals(FaultRates.NONE)) {
            assertThat(run.exit()).as("job %d, seed %d", job, seed).isZero();
          }
        }
      }
    }
  }

  @Test
  void trialsThatEndEarlyAreCheaper() {
    double all = 0;
    double early = 0;
    for (int job = 1; job <= JOBS; job++) {
      RandomRehearsals.PlannedRandomJob planned = RandomRehearsals.of(job);
      all += usd(planned, FaultRates.NONE);
      early += usd(planned, withEarlyEnds(FaultRates.NONE, 1));
    }
    assertThat(early).isLessThan(0.95 * all);
  }

  private static double usd(RandomRehearsals.PlannedRandomJob planned, FaultRates faultRates) {
    return new Rehearsal(planned.rehearsed(OptionalDouble.empty(), faultRates)).run(1).costUsd();
  }

  private static FaultRates withEarlyEnds(FaultRates rates, double share) {
    FaultRates.TrialFaults trials = rates.trials();
    return FaultRatesBuilder.builder(rates)
        .trials(
            new FaultRates.TrialFaults(
                trials.crashes(),
                trials.hangs(),
                trials.stopsReporting(),
                trials.sendsInvalidReports(),
                trials.overruns(),
                trials.poison(),
                share))
        .build();
  }

  @Test
  void runsThatWaitForCapacityViolateNoInvariant() {
    int withoutWait = 0;
    for (int job = 1; job <= JOBS; job++) {
      for (FaultRates faultRates : List.of(FaultRates.NONE, FaultRates.HEAVY)) {
        RehearsedJob rehearsed =
            RandomRehearsals.of(job).rehearsed(OptionalDouble.empty(), scarce(faultRates));
        for (int seed = 1; seed <= 3; seed++) {
          RehearsedRun run = new Rehearsal(waiting(rehearsed)).run(seed);
          assertThat(run.violations()).as("job %d, seed %d, %s", job, seed, faultRates).isEmpty();
          if (faultRates.equals(FaultRates.NONE)) {
            assertThat(run.exit()).as("job %d, seed %d", job, seed).isZero();
            withoutWait += new Rehearsal(rehearsed).run(seed).exit() == 14 ? 1 : 0;
          }
        }
      }
    }
    assertThat(withoutWait).isPositive();
  }

  /** Requests are often refused. */
  private static FaultRates scarce(FaultRates rates) {
    return FaultRatesBuilder.builder(rates).refused(0.3).build();
  }

  private static RehearsedJob waiting(RehearsedJob job) {
    RunDefinition definition =
        job.definition().withWaitForCapacity(Optional.of(Duration.ofDays(7)));
    return new RehearsedJob(definition, job.problem(), job.keep(), job.faults());
  }

  @Test
  void heavyFaultsIncludeEveryKind() {
    Set<FaultKind> seen = EnumSet.noneOf(FaultKind.class);
    for (int job = 1; job <= 10; job++) {
      RandomRehearsals.PlannedRandomJob plannedRandomJob = RandomRehearsals.of(job);
      double usd =
          new Simulator(plannedRandomJob.problem(), 200)
              .simulate(plannedRandomJob.plan())
              .costUsd()
              .mean();
      Rehearsal rehearsal =
          new Rehearsal(
              withBudget(
                  plannedRandomJob.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY), 1.2 * usd));
      for (int seed = 1; seed <= 10; seed++) {
        seen.addAll(rehearsal.run(seed).faultCounts().keySet());
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(FaultKind.values());
  }

  private static RehearsedJob withBudget(RehearsedJob job, double usd) {
    RunDefinition definition = job.definition();
    RunDefinition limited =
        definition.withLimits(definition.budget(), OptionalDouble.of(usd), definition.deadlineS());
    return new RehearsedJob(limited, job.problem(), job.keep(), job.faults());
  }

  private static Rehearsal rehearsal(long job, FaultRates faultRates) {
    return new Rehearsal(RandomRehearsals.of(job).rehearsed(OptionalDouble.empty(), faultRates));
  }
}
