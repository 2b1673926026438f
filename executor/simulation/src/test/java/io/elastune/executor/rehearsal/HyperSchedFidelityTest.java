package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.RungRule;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted searches of HyperSched whose learning curves are known: how many
 * trials reach each rung, completion time and cost (docs/searches.md). {@code
 * -Delastune.fidelity.hyperSched=40} compares 40 jobs with spread.
 */
class HyperSchedFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.hyperSched", 1, 10);
  private static final int EXACT_JOBS = Tier.runs("elastune.fidelity.exactHyperSched", 4, 100);
  private static final int EXECUTIONS = Integer.getInteger("elastune.fidelity.executions", 60);
  private static final int SAMPLES = Math.max(2_000, EXECUTIONS);
  private static final double MEAN = 0.01;
  private static final double P95 = 0.03;
  private static final double ROUNDING = 1e-7;

  /** Without spread. The trials of every second job are equally fast. */
  @Test
  void executesThePredictionToTheDigit() {
    List<String> different = new ArrayList<>();
    for (long seed = 1; seed <= EXACT_JOBS; seed++) {
      PlannedRandomJob job = RungFidelityTest.exactly(RandomHyperSchedJobs.of(seed));
      boolean isSlowed = seed % 2 == 0;
      Simulator simulator =
          new Simulator(job.problem(), 1, 1, RankModel.recorded(KnownCurves.curves(job, isSlowed)));
      IncrementalSampling sampling = simulator.sampledUntilAccurate(job.plan(), played -> {});
      Estimate predicted = sampling.estimate();
      Executed executed = execute(job, seed, isSlowed ? KnownCurves::slowness : trial -> 1);
      List<Double> trained = sampling.rungTasks().stream().map(Distribution::mean).toList();
      double time =
          PredictionGap.relative(executed.run().completionS(), predicted.completionS().mean());
      assertThat(executed.run().violations()).as("job %d", seed).isEmpty();
      assertThat(executed.run().exit()).as("job %d", seed).isZero();
      if (time > ROUNDING || !trained.equals(executed.trained())) {
        different.add(
            "job %d: time %.6f, trials %s for %s"
                .formatted(seed, time, executed.trained(), trained));
      }
    }
    assertThat(different).isEmpty();
  }

  /** With spread: the mean number of trials that reach each rung. */
  @Test
  void independentDrawsConfirmThePrediction() {
    compare(
        "with HyperSched",
        job -> RankModel.recorded(KnownCurves.curves(job, false)),
        (job, seed) -> execute(job, seed, trial -> 1));
  }

  /** The same with the synthetic curves that are assumed without others. */
  @Test
  void independentDrawsConfirmThePredictionWithoutCurves() {
    compare(
        "with HyperSched, synthetic curves",
        job -> RankModel.of(job.problem()),
        HyperSchedFidelityTest::executeAssumed);
  }

  private static void compare(
      String name,
      Function<PlannedRandomJob, RankModel> ranks,
      BiFunction<PlannedRandomJob, Long, Executed> execution) {
    GapFigures figures = new GapFigures();
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = RandomHyperSchedJobs.of(seed);
      Simulator simulator = new Simulator(job.problem(), SAMPLES, 1, ranks.apply(job));
      IncrementalSampling sampling = simulator.sampledUntilAccurate(job.plan(), played -> {});
      Estimate predicted = sampling.estimate();
      double[] seconds = new double[EXECUTIONS];
      double[] usd = new double[EXECUTIONS];
      double[] trials = new double[EXECUTIONS];
      for (int i = 0; i < EXECUTIONS; i++) {
        Executed executed = execution.apply(job, (long) i);
        assertThat(executed.run().violations()).as("job %d, seed %d", seed, i).isEmpty();
        seconds[i] = executed.run().completionS();
        usd[i] = executed.run().costUsd();
        trials[i] = executed.trained().get(0);
      }
      figures.add(
          Long.toString(seed),
          List.of(
              PredictionGap.ofMean("time", seconds, predicted.completionS(), SAMPLES, MEAN),
              PredictionGap.ofMean("cost", usd, predicted.costUsd(), SAMPLES, MEAN),
              PredictionGap.ofP95("time", seconds, predicted.completionS(), SAMPLES, P95),
              PredictionGap.ofP95("cost", usd, predicted.costUsd(), SAMPLES, P95),
              PredictionGap.ofMean("trials", trials, sampling.rungTasks().get(0), SAMPLES, MEAN)));
    }
    figures.print(name);
    assertThat(figures.off()).isEmpty();
  }

  /**
   * An execution.
   *
   * @param trained trials that reached the target of each rung
   */
  private record Executed(RehearsedRun run, List<Double> trained) {}

  private static Executed execute(PlannedRandomJob job, long seed, IntToDoubleFunction slowness) {
    return executeIn(job, seed, number -> KnownCurves.environment(job, number, slowness));
  }

  /** Executes a job with the metrics that an environment assumes. */
  private static Executed executeAssumed(PlannedRandomJob job, long seed) {
    return executeIn(
        job,
        seed,
        number ->
            new SimulatedEnvironment(
                number,
                FaultRates.NONE,
                new ProfileBasedTraining(
                    job.problem(), "acc", RandomStream.of(number), FaultRates.NONE.trials())));
  }

  private static Executed executeIn(
      PlannedRandomJob job, long seed, LongFunction<SimulatedEnvironment> environment) {
    RehearsedJob rehearsed = job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
    AtomicReference<Supplier<RunState>> state = new AtomicReference<>();
    Rehearsal rehearsal =
        new Rehearsal(
            rehearsed,
            (number, now) -> {
              state.set(now);
              return environment.apply(number);
            });
    RehearsedRun run = rehearsal.run(seed);
    RungRule rule = job.problem().workload().rungs().orElseThrow();
    List<Double> trained =
        rule.targets().stream()
            .map(
                target ->
                    (double)
                        state.get().get().trials().values().stream()
                            .filter(trial -> trial.unit() >= target)
                            .count())
            .toList();
    return new Executed(run, trained);
  }
}
