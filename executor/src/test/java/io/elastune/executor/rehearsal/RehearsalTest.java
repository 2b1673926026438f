package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.world.Faults;
import io.elastune.executor.world.Mishap;
import io.elastune.simulator.Simulator;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearsalTest {
  private static final int SEEDS = 100;

  @Test
  void sameSeedGivesTheSameRun() {
    Rehearsal rehearsal = rehearsal(3, Faults.HEAVY);

    for (int seed = 1; seed <= 20; seed++) {
      assertThat(rehearsal.play(seed)).isEqualTo(rehearsal.play(seed));
    }
    assertThat(rehearsal.play(1)).isNotEqualTo(rehearsal.play(2));
  }

  @Test
  void resultIsIndependentOfTheThreadCount() {
    List<RehearsedRun> sequential =
        Rehearsals.play(rehearsal(4, Faults.NORMAL), 7, SEEDS, 1, played -> {});
    List<RehearsedRun> parallel =
        Rehearsals.play(rehearsal(4, Faults.NORMAL), 7, SEEDS, 3, played -> {});

    assertThat(parallel).isEqualTo(sequential);
    assertThat(sequential).extracting(RehearsedRun::seed).startsWith(7L, 8L).endsWith(106L);
  }

  @Test
  void runsWithoutFaultsSucceed() {
    for (int job = 1; job <= 20; job++) {
      Rehearsal rehearsal = rehearsal(job, Faults.NONE);
      for (int seed = 1; seed <= 5; seed++) {
        RehearsedRun run = rehearsal.play(seed);
        assertThat(run.broken()).as("job %d, seed %d", job, seed).isEmpty();
        assertThat(run.exit()).as("job %d, seed %d", job, seed).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1.2, 10})
  void faultsViolateNoInvariant(double timesTheCost) {
    for (int job = 1; job <= 12; job++) {
      RandomJobs.Planned planned = RandomJobs.of(job);
      double usd = new Simulator(planned.problem(), 200).simulate(planned.plan()).costUsd().mean();
      for (Faults faults : List.of(Faults.NORMAL, Faults.HEAVY)) {
        RehearsedJob rehearsed =
            withBudget(planned.rehearsed(OptionalDouble.empty(), faults), timesTheCost * usd);
        for (int seed = 1; seed <= 5; seed++) {
          RehearsedRun run = new Rehearsal(rehearsed).play(seed);
          assertThat(run.broken()).as("job %d, seed %d, %s", job, seed, faults).isEmpty();
        }
      }
    }
  }

  @Test
  void heavyFaultsIncludeEveryKind() {
    Set<Mishap> seen = EnumSet.noneOf(Mishap.class);
    for (int job = 1; job <= 10; job++) {
      RandomJobs.Planned planned = RandomJobs.of(job);
      double usd = new Simulator(planned.problem(), 200).simulate(planned.plan()).costUsd().mean();
      Rehearsal rehearsal =
          new Rehearsal(
              withBudget(planned.rehearsed(OptionalDouble.empty(), Faults.HEAVY), 1.2 * usd));
      for (int seed = 1; seed <= 10; seed++) {
        seen.addAll(rehearsal.play(seed).mishaps().keySet());
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(Mishap.values());
  }

  private static RehearsedJob withBudget(RehearsedJob job, double usd) {
    RunDefinition definition = job.definition();
    RunDefinition limited =
        definition.withLimits(definition.budget(), OptionalDouble.of(usd), definition.deadlineS());
    return new RehearsedJob(limited, job.problem(), job.keep(), job.faults());
  }

  private static Rehearsal rehearsal(long job, Faults faults) {
    return new Rehearsal(RandomJobs.of(job).rehearsed(OptionalDouble.empty(), faults));
  }
}
