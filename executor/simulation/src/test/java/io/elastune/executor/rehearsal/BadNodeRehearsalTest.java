package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.simulation.FaultKind;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.FaultRatesBuilder;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Runs on clouds whose nodes often cannot become ready, by a failure of any step. */
class BadNodeRehearsalTest {
  private static final int RUNS = Tier.runs(50, 1_000);
  private static final int JOBS = 20;
  private static final double OFTEN = 0.25;
  private static final int TRIALS_FAILED = 16;

  /** A run ends only after three bad nodes: {@link ExitCodeCheck} counts them. */
  @Test
  void noRunIsEndedByASingleNodeAndNothingLeaks() {
    int badNodes = 0;
    for (int i = 0; i < RUNS; i++) {
      RehearsedRun run = run(i, FaultRates.HEAVY);
      assertThat(run.violations()).as("job %d, seed %d", job(i), run.seed()).isEmpty();
      badNodes += run.faultCounts().getOrDefault(FaultKind.BAD_NODE, 0);
    }
    assertThat(badNodes).isGreaterThan(RUNS);
  }

  @Test
  void runsWithBadNodesAndNoOtherFaultsComplete() {
    int survived = 0;
    for (int i = 0; i < RUNS; i++) {
      RehearsedRun run = run(i, FaultRates.NONE);
      int badNodes = run.faultCounts().getOrDefault(FaultKind.BAD_NODE, 0);
      assertThat(run.violations()).as("job %d, seed %d", job(i), run.seed()).isEmpty();
      assertThat(run.exit() == 0 || (run.exit() == TRIALS_FAILED && badNodes >= 3))
          .as("job %d, seed %d: exit %d after %d", job(i), run.seed(), run.exit(), badNodes)
          .isTrue();
      survived += run.exit() == 0 && badNodes > 0 ? 1 : 0;
    }
    assertThat(survived).as("of %d runs", RUNS).isGreaterThan(RUNS / 3);
  }

  private static int job(int run) {
    return 1 + run % JOBS;
  }

  private static RehearsedRun run(int i, FaultRates others) {
    FaultRates rates = FaultRatesBuilder.builder(others).badNode(OFTEN).build();
    RehearsedJob job = RandomRehearsals.of(job(i)).rehearsed(OptionalDouble.empty(), rates);
    return new Rehearsal(job).run(1 + i);
  }
}
