package io.elastune.executor.rehearsal;

import io.elastune.core.job.Metric;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialFactors;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.LearningCurves;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.AttemptScript;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.executor.simulation.TrainingModel;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/** Learning curves that an environment and a prediction share. */
final class KnownCurves {
  /** Trials that start in a population, as a multiple of its size. */
  private static final int MOST_STARTED = 8;

  private KnownCurves() {}

  /** The metric of a trial after a number of units. */
  interface Metrics {
    double metric(int trial, int unit);
  }

  /**
   * Returns an environment with these metrics.
   *
   * @param slowness returns the seconds per unit of a trial relative to those of the profile
   */
  static SimulatedEnvironment environment(
      PlannedRandomJob job, long seed, IntToDoubleFunction slowness) {
    return environment(job, seed, slowness, KnownCurves::metric);
  }

  /** Returns an environment with other metrics. */
  static SimulatedEnvironment environment(
      PlannedRandomJob job, long seed, IntToDoubleFunction slowness, Metrics metrics) {
    ProfileBasedTraining training =
        new ProfileBasedTraining(
            job.problem(), "acc", RandomStream.of(seed), FaultRates.NONE.trials());
    return new SimulatedEnvironment(
        seed,
        FaultRates.NONE,
        new TrainingModel() {
          @Override
          public AttemptScript script(AttemptSpec attempt, Offer offer) {
            return slowed(training.script(attempt, offer), slowness.applyAsDouble(attempt.trial()));
          }

          @Override
          public Map<String, Double> metrics(int trial, int unit) {
            return Map.of("acc", metrics.metric(trial, unit));
          }
        });
  }

  /** How slow a trial is, if trials are not equally fast. */
  static double slowness(int trial) {
    return RandomStream.of(trial).substream("slowness").between(0.8, 1.2);
  }

  private static AttemptScript slowed(AttemptScript script, double slowness) {
    return new AttemptScript(
        script.startupS(),
        script.unitS() * slowness,
        script.stopS(),
        script.savesEvery(),
        script.behavior(),
        script.doneAt(),
        script.torn());
  }

  /** Curves that cross: some trials learn fast, others more. */
  private static double metric(int trial, int unit) {
    RandomStream random = RandomStream.of(trial).substream("curve");
    double most = random.between(0.3, 1);
    double speed = random.between(0.05, 1);
    return most * (1 - Math.exp(-speed * unit));
  }

  /**
   * Returns the curves. With times, those of trials whose profile expects another speed include it.
   *
   * @param areSlowed whether they have times, of trials that are not equally fast
   */
  static LearningCurves curves(PlannedRandomJob job, boolean areSlowed) {
    Profile profile = job.problem().profiles().get("V100");
    List<Double> factors = TrialFactors.all(job.problem().workload(), profile);
    double unitS = profile.secondsPerUnit(1).orElseThrow();
    return curves(
        job,
        KnownCurves::metric,
        trial ->
            areSlowed
                ? OptionalDouble.of(unitS * factor(factors, trial) * slowness(trial))
                : OptionalDouble.empty());
  }

  private static double factor(List<Double> factors, int trial) {
    return trial <= factors.size() ? factors.get(trial - 1) : 1;
  }

  /**
   * Returns the curves of other metrics.
   *
   * @param seconds returns the seconds per unit of a trial, if the curves have times
   */
  static LearningCurves curves(
      PlannedRandomJob job, Metrics metrics, IntFunction<OptionalDouble> seconds) {
    Workload workload = job.problem().workload();
    int trials = workload.rungs().map(RungRule::trials).orElse(MOST_STARTED * workload.trials());
    int units = workload.groups().stream().mapToInt(TrialGroup::toUnit).max().orElseThrow();
    SortedMap<Integer, NavigableMap<Integer, LearningCurves.Point>> points = new TreeMap<>();
    for (int trial = 1; trial <= trials; trial++) {
      NavigableMap<Integer, LearningCurves.Point> curve = new TreeMap<>();
      for (int unit = 1; unit <= units; unit++) {
        curve.put(
            unit, new LearningCurves.Point(metrics.metric(trial, unit), seconds.apply(trial)));
      }
      points.put(trial, curve);
    }
    return new LearningCurves(Metric.Goal.MAXIMIZE, points);
  }
}
