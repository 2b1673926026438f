package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the end that HyperSched's forecast expects after each report with the end of the run
 * (docs/searches.md, "HyperSched"). {@code -Delastune.forecast.hyperSched=200} compares 200 jobs.
 */
class HyperSchedForecastTest {
  private static final long JOBS = Tier.runs("elastune.forecast.hyperSched", 7, 200);

  /**
   * Trials keep their ranks, and those that have not begun are spread evenly. What is left to err
   * are the units in progress and the ranks of few results. Once a single trial runs, only paused
   * ones that would resume are.
   */
  @Test
  void isNearTheEndWithoutSpreadAndExactForTheLastTrial() {
    List<ForecastRecorder.Errors> all =
        compared(
            seed -> RungFidelityTest.exactly(RandomHyperSchedJobs.of(seed)),
            (trial, unit) -> 1 - (Integer.reverse(trial) >>> 1) / (double) (1 << 30) / 2);

    List<Double> last = all.stream().flatMap(run -> run.ofLastTrial().stream()).toList();
    long exact = last.stream().filter(error -> Math.abs(error) < 1e-6).count();
    assertThat((double) exact / last.size()).isGreaterThan(0.9);
    assertThat(mean(all.stream().mapToDouble(ForecastRecorder.Errors::meanAbsolute)))
        .isLessThan(0.06);
  }

  /** With spread of start-ups and units, and curves that cross. */
  @Test
  void hasAMeanErrorNearZeroWithSpread() {
    List<ForecastRecorder.Errors> all =
        compared(RandomHyperSchedJobs::of, HyperSchedForecastTest::crossing);

    assertThat(Math.abs(mean(all.stream().mapToDouble(ForecastRecorder.Errors::mean))))
        .isLessThan(0.05);
    assertThat(mean(all.stream().mapToDouble(ForecastRecorder.Errors::meanAbsolute)))
        .isLessThan(0.1);
  }

  private static double crossing(int trial, int unit) {
    RandomStream random = RandomStream.of(trial).substream("curve");
    double most = random.between(0.3, 1);
    return most * (1 - Math.exp(-random.between(0.05, 1) * unit));
  }

  private static double mean(DoubleStream values) {
    return values.average().orElseThrow();
  }

  /** Returns the forecasts of all jobs in which a trial reported. */
  private static List<ForecastRecorder.Errors> compared(
      LongFunction<PlannedRandomJob> jobs, KnownCurves.Metrics metrics) {
    List<ForecastRecorder.Errors> all =
        LongStream.rangeClosed(1, JOBS)
            .mapToObj(seed -> forecasts(jobs.apply(seed), seed, metrics))
            .filter(run -> !run.time().isEmpty())
            .toList();
    System.out.printf(
        "%d forecasts of HyperSched: mean error %.2f %%, mean absolute error %.2f %%%n",
        all.stream().mapToInt(run -> run.time().size()).sum(),
        100 * mean(all.stream().mapToDouble(ForecastRecorder.Errors::mean)),
        100 * mean(all.stream().mapToDouble(ForecastRecorder.Errors::meanAbsolute)));
    return all;
  }

  private static ForecastRecorder.Errors forecasts(
      PlannedRandomJob job, long seed, KnownCurves.Metrics metrics) {
    RehearsedJob rehearsed = job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
    ForecastRecorder recorder = new ForecastRecorder(rehearsed.definition());
    RehearsedRun run =
        new Rehearsal(
                rehearsed,
                definition -> recorder::step,
                (number, state) -> KnownCurves.environment(job, number, trial -> 1, metrics),
                PlannerReplanner::new)
            .run(seed);
    assertThat(run.violations()).as("job %d", seed).isEmpty();
    return recorder.errors(run);
  }
}
