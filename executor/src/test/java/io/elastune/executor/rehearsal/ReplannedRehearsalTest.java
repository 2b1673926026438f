package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.world.Faults;
import io.elastune.simulator.Simulator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests runs with re-planning, from random legal plans. */
class ReplannedRehearsalTest {
  private static final int JOBS = 4;
  private static final int SEEDS = 2;

  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1.5})
  void replanningViolatesNoInvariant(double slower) {
    for (int job = 1; job <= JOBS; job++) {
      for (Faults faults : List.of(Faults.NORMAL, Faults.HEAVY)) {
        Rehearsal rehearsal = new Rehearsal(job(job, slower, faults));
        for (int seed = 1; seed <= SEEDS; seed++) {
          RehearsedRun run = rehearsal.play(seed);
          assertThat(run.broken()).as("job %d, seed %d, %s", job, seed, faults).isEmpty();
        }
      }
    }
  }

  @Test
  void replanningMeetsMoreDeadlines() {
    int metWithReplanning = 0;
    int metWithoutReplanning = 0;
    for (int job = 1; job <= JOBS; job++) {
      RehearsedJob replanned = job(job, 1.5, Faults.NONE);
      RehearsedJob fixed =
          new RehearsedJob(
              replanned.definition().withoutReplanning(),
              replanned.problem(),
              replanned.keep(),
              replanned.faults());
      for (int seed = 1; seed <= SEEDS; seed++) {
        metWithReplanning += new Rehearsal(replanned).play(seed).exit() == 0 ? 1 : 0;
        metWithoutReplanning += new Rehearsal(fixed).play(seed).exit() == 0 ? 1 : 0;
      }
    }
    assertThat(metWithReplanning).isGreaterThan(metWithoutReplanning + JOBS * SEEDS / 4);
  }

  @Test
  void sameSeedGivesTheSameRun() {
    Rehearsal rehearsal = new Rehearsal(job(3, 1.5, Faults.HEAVY));

    for (int seed = 1; seed <= SEEDS; seed++) {
      assertThat(rehearsal.play(seed)).isEqualTo(rehearsal.play(seed));
    }
  }

  private static RehearsedJob job(int number, double slower, Faults faults) {
    RandomJobs.Planned planned = RandomJobs.of(number);
    Estimate estimate = new Simulator(planned.problem(), 200).simulate(planned.plan());
    return planned.replanned(
        1.3 * estimate.completionS().mean(), 3 * estimate.costUsd().mean(), slower, faults);
  }
}
