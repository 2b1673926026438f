package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Problem;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.JointSamples;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares predicted with realized shares of runs within a deadline and a budget, for random jobs
 * with the shipped fault rates (docs/reliability.md, "Calibration"). The ordinary build checks a
 * few jobs; {@code scripts/calibrate 200 1000} checks 200, and also injects three times and a third
 * of the predicted rates ({@code -Delastune.calibration.factors=1,3,0.333}). {@code
 * -Delastune.calibration.pools=40} checks 40 jobs whose chains share instances.
 */
class FaultCalibrationTest {
  private static final int JOBS = Integer.getInteger("elastune.calibration.jobs", 6);
  private static final int POOLS = Integer.getInteger("elastune.calibration.pools", 4);
  private static final int RUNS = Integer.getInteger("elastune.calibration.runs", 150);
  private static final List<Double> FACTORS =
      Stream.of(System.getProperty("elastune.calibration.factors", "1").split(",", -1))
          .map(Double::valueOf)
          .toList();
  private static final int SAMPLES = 20_000;
  private static final double CONFIDENCE = 0.9;
  private static final double LIMIT = 0.02;

  /** Gaps up to this number of standard errors are attributed to chance. */
  private static final double ERRORS = 4;

  private record Gap(long seed, String what, double predicted, double realized) {
    double size() {
      return Math.abs(predicted - realized);
    }

    boolean isSignificant() {
      double error = Math.sqrt(predicted * (1 - predicted) * (1.0 / RUNS + 1.0 / SAMPLES));
      return size() > LIMIT + ERRORS * error;
    }
  }

  @Test
  void realizedSharesAreThePredictedOnes() {
    compare(RandomRehearsals::of, JOBS);
  }

  /** The same for chains that share instances (docs/searches.md, "Shared instances"). */
  @Test
  void realizedSharesOfPoolsAreThePredictedOnes() {
    compare(RandomPools::of, POOLS);
  }

  private static void compare(LongFunction<RandomRehearsals.PlannedRandomJob> jobs, int count) {
    for (double factor : FACTORS) {
      List<Gap> gaps = new ArrayList<>();
      for (long seed = 1; seed <= count; seed++) {
        gaps.addAll(gaps(seed, jobs.apply(seed), factor));
      }
      print(gaps, factor, "on time");
      print(gaps, factor, "in budget");
      if (factor == 1) {
        gaps.stream().filter(gap -> gap.size() > LIMIT).forEach(FaultCalibrationTest::print);
        assertThat(gaps).noneMatch(Gap::isSignificant);
      }
    }
  }

  private static List<Gap> gaps(
      long seed, RandomRehearsals.PlannedRandomJob random, double factor) {
    Problem predicted = random.problem().withDefaultFaults();
    Problem injected =
        predicted.withFaults(
            offer -> offer.faults().times(factor), profile -> profile.faults().times(factor));
    JointSamples samples = new Simulator(predicted, SAMPLES).sample(random.plan());
    double deadlineS = samples.safeDeadlineS(CONFIDENCE);
    double budgetUsd = samples.safeBudgetUsd(CONFIDENCE);
    Rehearsal rehearsal =
        new Rehearsal(
            new RandomRehearsals.PlannedRandomJob(injected, random.plan())
                .rehearsed(OptionalDouble.of(deadlineS), FaultRates.NONE));
    double[] seconds = new double[RUNS];
    double[] usd = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      RehearsedRun run = rehearsal.run(i);
      assertThat(run.violations()).as("job %d, seed %d", seed, i).isEmpty();
      seconds[i] = Double.isNaN(run.completionS()) ? Double.POSITIVE_INFINITY : run.completionS();
      usd[i] = run.costUsd();
    }
    return List.of(
        new Gap(
            seed, "on time", within(samples.completionS(), deadlineS), within(seconds, deadlineS)),
        new Gap(seed, "in budget", within(samples.costUsd(), budgetUsd), within(usd, budgetUsd)));
  }

  /** Returns the fraction within the limit, up to rounding. */
  private static double within(double[] values, double limit) {
    return Arrays.stream(values).filter(v -> v <= limit * (1 + 1e-7)).count()
        / (double) values.length;
  }

  /** Prints a job whose gap exceeds the limit, by chance or not. */
  private static void print(Gap gap) {
    System.out.printf(
        Locale.ROOT,
        "  job %d, %s: predicted %.4f, realized %.4f%n",
        gap.seed,
        gap.what,
        gap.predicted,
        gap.realized);
  }

  /** Prints a row of the table in docs/reliability.md. */
  private static void print(List<Gap> all, double factor, String what) {
    List<Gap> gaps = all.stream().filter(gap -> gap.what.equals(what)).toList();
    System.out.printf(
        Locale.ROOT,
        "%d jobs, %d runs each, rates × %s: %s: mean gap %.4f, largest %.4f, over %s: %d jobs,"
            + " beyond chance: %d, mean of predicted minus realized %.4f, lowest realized %.3f%n",
        gaps.size(),
        RUNS,
        factor,
        what,
        gaps.stream().mapToDouble(Gap::size).average().orElseThrow(),
        gaps.stream().mapToDouble(Gap::size).max().orElseThrow(),
        LIMIT,
        gaps.stream().filter(gap -> gap.size() > LIMIT).count(),
        gaps.stream().filter(Gap::isSignificant).count(),
        gaps.stream().mapToDouble(gap -> gap.predicted - gap.realized).average().orElseThrow(),
        gaps.stream().mapToDouble(Gap::realized).min().orElseThrow());
  }
}
