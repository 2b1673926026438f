package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.Faults;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Executed against predicted: random jobs with noise and without faults (docs/reliability.md). The
 * number of jobs: {@code -Delastune.fidelity.jobs=200}.
 */
class FidelityTest {
  private static final int JOBS = Integer.getInteger("elastune.fidelity.jobs", 12);
  private static final int SAMPLES = 20_000;
  private static final int EXECUTIONS = 500;

  /** Where 500 executions cannot tell, more are made: at most so many. */
  private static final int MOST_EXECUTIONS = 32_000;

  private static final double MEAN = 0.01;
  private static final double P95 = 0.03;
  private static final double ON_TIME = 0.02;

  @Test
  void executedRunsTakeAndCostWhatIsPredicted() {
    List<String> off = new ArrayList<>();
    double worstMean = 0;
    double worstP95 = 0;
    double worstOnTime = 0;
    for (long seed = 1; seed <= JOBS; seed++) {
      Gap gap = gap(seed);
      worstMean = Math.max(worstMean, gap.mean);
      worstP95 = Math.max(worstP95, gap.p95);
      worstOnTime = Math.max(worstOnTime, gap.onTime);
      if (!gap.within()) {
        off.add("job of seed " + seed + ": " + gap);
      }
    }
    System.out.printf(
        "fidelity over %d jobs: worst mean %.2f %%, worst p95 %.2f %%, worst on time %.3f%n",
        JOBS, 100 * worstMean, 100 * worstP95, worstOnTime);
    assertThat(off).isEmpty();
  }

  /** How far executed and predicted lie apart: fractions. */
  private record Gap(double mean, double p95, double onTime, int executions) {
    boolean within() {
      return mean <= MEAN && p95 <= P95 && onTime <= ON_TIME;
    }

    /** Beyond a limit, but not so far that chance alone could not have done it. */
    boolean undecided() {
      return executions == 0 || (!within() && mean <= 5 * MEAN && p95 <= 5 * P95);
    }
  }

  private static Gap gap(long seed) {
    RandomJobs.Planned job = RandomJobs.of(seed);
    Simulator simulator = new Simulator(job.problem(), SAMPLES);
    Estimate free = simulator.simulate(job.plan());
    double deadline =
        Chance.of(seed).at("deadline").happens(0.5)
            ? free.completionS().p95()
            : free.completionS().p50();
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.of(deadline), Faults.NONE));
    double onTime = deadline == free.completionS().p95() ? 0.95 : 0.5;
    List<RehearsedRun> runs = new ArrayList<>();
    Gap gap = new Gap(1, 1, 1, 0);
    for (int wanted = EXECUTIONS; gap.undecided() && wanted <= MOST_EXECUTIONS; wanted *= 2) {
      while (runs.size() < wanted) {
        RehearsedRun run = rehearsal.play(runs.size());
        assertThat(run.broken()).as("job %d, seed %d", seed, run.seed()).isEmpty();
        runs.add(run);
      }
      gap =
          gap(free, Summary.of(runs, OptionalDouble.of(deadline), OptionalDouble.empty()), onTime);
    }
    return gap;
  }

  private static Gap gap(Estimate predicted, Summary executed, double onTime) {
    Distribution seconds = executed.completionS();
    Distribution usd = executed.costUsd();
    return new Gap(
        Math.max(
            apart(seconds.mean(), predicted.completionS().mean()),
            apart(usd.mean(), predicted.costUsd().mean())),
        Math.max(
            apart(seconds.p95(), predicted.completionS().p95()),
            apart(usd.p95(), predicted.costUsd().p95())),
        // Where nothing varies, a run ends at the deadline to the last digit or not at all.
        seconds.p95() - seconds.p5() < 1e-6 ? 0 : Math.abs(executed.onTime() - onTime),
        executed.runs());
  }

  private static double apart(double executed, double predicted) {
    return Math.abs(executed - predicted) / predicted;
  }
}
