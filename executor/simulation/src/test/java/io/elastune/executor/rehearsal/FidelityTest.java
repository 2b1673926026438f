package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.properties.Tier;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.SampledDraws;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted results for random jobs with spread and without faults
 * (docs/reliability.md). The ordinary build checks a few jobs; {@code -Delastune.fidelity.jobs=200}
 * checks 200.
 */
class FidelityTest {
  private static final int REQUESTED_JOBS = Integer.getInteger("elastune.fidelity.jobs", 0);
  private static final int FIRST = Integer.getInteger("elastune.fidelity.first", 1);
  private static final int EXECUTIONS = 500;

  private static final double MEAN = 0.01;
  private static final double P95 = 0.03;
  private static final double ON_TIME = 0.02;

  /**
   * Fewer than one in this many executions may differ from its sample by more than rounding. They
   * differ because trials stay on instances that the simulator leaves.
   */
  private static final int DIFFERENT = 10;

  /**
   * The relative rounding error: the simulated environment rounds durations to nanoseconds; the
   * simulator does not.
   */
  private static final double ROUNDING = 1e-7;

  /**
   * Execution {@code k} uses the draws of sample {@code k} (common random numbers). Any difference
   * is therefore caused by the executor, not by chance.
   */
  @Test
  void sameDrawsGiveThePredictedResults() {
    int jobs = REQUESTED_JOBS > 0 ? REQUESTED_JOBS : Tier.runs(20, 40);
    int executions = REQUESTED_JOBS > 0 ? EXECUTIONS : Tier.runs(20, 30);
    List<PairedComparison> all = new ArrayList<>();
    for (long seed = FIRST; seed < FIRST + jobs; seed++) {
      PairedComparison job = paired(seed, executions);
      all.add(job);
    }
    System.out.println(summary(all, executions));
    assertThat(all).allMatch(PairedComparison::kept);
    int different = all.stream().mapToInt(PairedComparison::different).sum();
    assertThat(different).isLessThan(jobs * executions / DIFFERENT);
  }

  /** The differences between the executions of one job and its prediction with the same draws. */
  private record PairedComparison(
      long seed,
      int executions,
      int different,
      double meanS,
      double meanUsd,
      double p95S,
      double p95Usd,
      double onTime) {
    /** With few executions, the limits on p95 and on-time probability cannot be checked. */
    boolean kept() {
      boolean few = executions < EXECUTIONS;
      return Math.max(meanS, meanUsd) <= MEAN
          && (few || (Math.max(p95S, p95Usd) <= P95 && onTime <= ON_TIME));
    }
  }

  private static PairedComparison paired(long seed, int wanted) {
    RandomRehearsals.PlannedRandomJob job = RandomRehearsals.of(seed);
    IncrementalSampling incrementalSampling =
        new Simulator(job.problem(), wanted).sampling(job.plan());
    double[] sampledS = incrementalSampling.sampleUpTo(wanted).completionS();
    double[] sampledUsd = incrementalSampling.sampleUpTo(wanted).costUsd();
    Estimate predicted = incrementalSampling.estimate();
    double deadline = deadline(seed, predicted);
    Rehearsal rehearsal =
        new Rehearsal(
            job.rehearsed(OptionalDouble.of(deadline), FaultRates.NONE),
            SampleEnvironment.factory(
                job.problem(), job.plan(), new SampledDraws(job.problem(), wanted)));
    double[] seconds = new double[sampledS.length];
    double[] usd = new double[sampledS.length];
    int different = 0;
    for (int sample = 0; sample < sampledS.length; sample++) {
      RehearsedRun run = rehearsal.run(sample);
      assertThat(run.violations()).as("job %d, sample %d", seed, sample).isEmpty();
      seconds[sample] = run.completionS();
      usd[sample] = run.costUsd();
      boolean same =
          PredictionGap.relative(seconds[sample], sampledS[sample]) <= ROUNDING
              && PredictionGap.relative(usd[sample], sampledUsd[sample]) <= ROUNDING;
      different += same ? 0 : 1;
    }
    return new PairedComparison(
        seed,
        wanted,
        different,
        PredictionGap.relative(PredictionGap.mean(seconds), predicted.completionS().mean()),
        PredictionGap.relative(PredictionGap.mean(usd), predicted.costUsd().mean()),
        PredictionGap.relative(PredictionGap.p95(seconds), predicted.completionS().p95()),
        PredictionGap.relative(PredictionGap.p95(usd), predicted.costUsd().p95()),
        Math.abs(within(seconds, deadline) - within(sampledS, deadline)));
  }

  private static double deadline(long seed, Estimate predicted) {
    Distribution completion = predicted.completionS();
    return late(seed) ? completion.p95() : completion.p50();
  }

  private static boolean late(long seed) {
    return RandomStream.of(seed).substream("deadline").happens(0.5);
  }

  /** Returns the fraction within the deadline, up to rounding. */
  private static double within(double[] seconds, double deadline) {
    return Arrays.stream(seconds).filter(s -> s <= deadline * (1 + ROUNDING)).count()
        / (double) seconds.length;
  }

  /** Returns a sentence for docs/reliability.md. */
  private static String summary(List<PairedComparison> jobs, int executions) {
    return String.format(
        Locale.ROOT,
        "%d jobs, %d executions each with the draws of the prediction's samples: %,d of %,d"
            + " executions equal their sample; all do in %d jobs. Largest gaps: mean time %.3f %%,"
            + " mean cost %.3f %%, p95 of time %.3f %%, p95 of cost %.3f %%, on time %.3f.",
        jobs.size(),
        executions,
        jobs.stream().mapToInt(job -> executions - job.different).sum(),
        jobs.size() * executions,
        jobs.stream().filter(job -> job.different == 0).count(),
        100 * jobs.stream().mapToDouble(PairedComparison::meanS).max().orElseThrow(),
        100 * jobs.stream().mapToDouble(PairedComparison::meanUsd).max().orElseThrow(),
        100 * jobs.stream().mapToDouble(PairedComparison::p95S).max().orElseThrow(),
        100 * jobs.stream().mapToDouble(PairedComparison::p95Usd).max().orElseThrow(),
        jobs.stream().mapToDouble(PairedComparison::onTime).max().orElseThrow());
  }

  /**
   * With independent draws, 500 executions are a small sample: gaps may exceed the limits only by
   * sampling error.
   */
  @Test
  void independentDrawsConfirmThePrediction() {
    int jobs = REQUESTED_JOBS > 0 ? REQUESTED_JOBS : Tier.runs(1, 6);
    int samples = 20_000;
    List<String> off = new ArrayList<>();
    int kept = 0;
    for (long seed = FIRST; seed < FIRST + jobs; seed++) {
      RandomRehearsals.PlannedRandomJob job = RandomRehearsals.of(seed);
      Estimate predicted = new Simulator(job.problem(), samples).simulate(job.plan());
      List<PredictionGap> predictionGaps = gaps(seed, job, predicted, samples);
      kept += predictionGaps.stream().allMatch(PredictionGap::isWithinLimit) ? 1 : 0;
      if (predictionGaps.stream().anyMatch(PredictionGap::exceedsSignificantly)) {
        off.add("job of seed " + seed + ": " + predictionGaps);
      }
    }
    System.out.printf(
        "%d jobs, %d executions each with independent draws: %d are within all limits, %d"
            + " exceed one by more than sampling error%n",
        jobs, EXECUTIONS, kept, off.size());
    assertThat(off).isEmpty();
  }

  private static List<PredictionGap> gaps(
      long seed, RandomRehearsals.PlannedRandomJob job, Estimate predicted, int samples) {
    double deadline = deadline(seed, predicted);
    double onTime = late(seed) ? 0.95 : 0.5;
    Rehearsal rehearsal =
        new Rehearsal(job.rehearsed(OptionalDouble.of(deadline), FaultRates.NONE));
    double[] seconds = new double[EXECUTIONS];
    double[] usd = new double[EXECUTIONS];
    for (int i = 0; i < EXECUTIONS; i++) {
      RehearsedRun run = rehearsal.run(i);
      assertThat(run.violations()).as("job %d, seed %d", seed, i).isEmpty();
      seconds[i] = run.completionS();
      usd[i] = run.costUsd();
    }
    boolean varies =
        predicted.completionS().p95() - predicted.completionS().p5() > ROUNDING * deadline;
    return List.of(
        PredictionGap.ofMean("time", seconds, predicted.completionS(), samples, MEAN),
        PredictionGap.ofMean("cost", usd, predicted.costUsd(), samples, MEAN),
        PredictionGap.ofP95("time", seconds, predicted.completionS(), samples, P95),
        PredictionGap.ofP95("cost", usd, predicted.costUsd(), samples, P95),
        PredictionGap.ofProbability(
            "on time",
            varies ? within(seconds, deadline) : onTime,
            onTime,
            EXECUTIONS,
            samples,
            ON_TIME));
  }
}
