package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.world.Chance;
import io.elastune.executor.world.Faults;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Executed against predicted: random jobs with noise and without faults (docs/reliability.md). The
 * ordinary build looks whether 500 executions of some jobs speak against the prediction; {@code
 * -Delastune.fidelity.jobs=200} executes each job until it is known that all limits are kept.
 */
class FidelityTest {
  private static final int WANTED = Integer.getInteger("elastune.fidelity.jobs", 0);
  private static final int FIRST = Integer.getInteger("elastune.fidelity.first", 1);
  private static final boolean UNTIL_SURE = WANTED > 0;
  private static final int JOBS = UNTIL_SURE ? WANTED : 12;
  private static final int SAMPLES = UNTIL_SURE ? 100_000 : 20_000;
  private static final int EXECUTIONS = 500;
  private static final int MOST_EXECUTIONS = UNTIL_SURE ? 64_000 : EXECUTIONS;

  private static final double MEAN = 0.01;
  private static final double P95 = 0.03;
  private static final double ON_TIME = 0.02;

  /** Where nothing varies, a run ends at the deadline to the last digit or not at all. */
  private static final double NOTHING_S = 1e-6;

  @Test
  void executedRunsTakeAndCostWhatIsPredicted() {
    List<String> off = new ArrayList<>();
    List<Compared> jobs = new ArrayList<>();
    for (long seed = FIRST; seed < FIRST + JOBS; seed++) {
      Compared job = compared(seed);
      jobs.add(job);
      if (UNTIL_SURE ? !job.kept() : job.missed()) {
        off.add("job of seed " + seed + " after " + job.executions + ": " + job.gaps);
      }
      System.out.printf("job %d, %d executions: %s%n", seed, job.executions, job.gaps);
    }
    System.out.println(summary(jobs));
    assertThat(off).isEmpty();
  }

  /** One job. */
  private record Compared(List<Gap> gaps, int executions) {
    boolean kept() {
      return gaps.stream().allMatch(Gap::kept);
    }

    boolean missed() {
      return gaps.stream().anyMatch(Gap::missed);
    }

    double worst(String what) {
      return gaps.stream()
          .filter(gap -> gap.what().endsWith(what))
          .mapToDouble(Gap::gap)
          .max()
          .orElseThrow();
    }
  }

  /** A sentence for docs/reliability.md. */
  private static String summary(List<Compared> jobs) {
    return String.format(
        Locale.ROOT,
        "Of %d jobs %d keep all limits, known to two standard errors; %d with %d executions, the"
            + " others with up to %,d. The worst mean is %.2f %% off, the worst p95 %.2f %%, the"
            + " worst on-time probability %.3f.",
        jobs.size(),
        jobs.stream().filter(Compared::kept).count(),
        jobs.stream().filter(job -> job.executions == EXECUTIONS).count(),
        EXECUTIONS,
        jobs.stream().mapToInt(Compared::executions).max().orElseThrow(),
        100 * jobs.stream().mapToDouble(job -> job.worst("mean")).max().orElseThrow(),
        100 * jobs.stream().mapToDouble(job -> job.worst("p95")).max().orElseThrow(),
        jobs.stream().mapToDouble(job -> job.worst("on time")).max().orElseThrow());
  }

  private static Compared compared(long seed) {
    RandomJobs.Planned job = RandomJobs.of(seed);
    Estimate predicted = new Simulator(job.problem(), SAMPLES).simulate(job.plan());
    boolean late = Chance.of(seed).at("deadline").happens(0.5);
    double deadline = late ? predicted.completionS().p95() : predicted.completionS().p50();
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.of(deadline), Faults.NONE));
    List<RehearsedRun> runs = new ArrayList<>();
    Compared compared;
    do {
      int wanted = Math.max(EXECUTIONS, 2 * runs.size());
      while (runs.size() < wanted) {
        RehearsedRun run = rehearsal.play(runs.size());
        assertThat(run.broken()).as("job %d, seed %d", seed, run.seed()).isEmpty();
        runs.add(run);
      }
      compared = new Compared(gaps(predicted, runs, deadline, late ? 0.95 : 0.5), runs.size());
    } while (!compared.kept() && !compared.missed() && 2 * runs.size() <= MOST_EXECUTIONS);
    return compared;
  }

  private static List<Gap> gaps(
      Estimate predicted, List<RehearsedRun> runs, double deadline, double onTime) {
    double[] seconds = Gap.of(runs, RehearsedRun::completionS);
    double[] usd = Gap.of(runs, RehearsedRun::costUsd);
    double inTime =
        runs.stream().filter(run -> run.completionS() <= deadline).count() / (double) runs.size();
    boolean varies = predicted.completionS().p95() - predicted.completionS().p5() > NOTHING_S;
    return List.of(
        Gap.ofMean("time", seconds, predicted.completionS(), SAMPLES, MEAN),
        Gap.ofMean("cost", usd, predicted.costUsd(), SAMPLES, MEAN),
        Gap.ofP95("time", seconds, predicted.completionS(), SAMPLES, P95),
        Gap.ofP95("cost", usd, predicted.costUsd(), SAMPLES, P95),
        Gap.ofProbability(
            "on time", varies ? inTime : onTime, onTime, runs.size(), SAMPLES, ON_TIME));
  }
}
