package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Metric;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.LearningCurves;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.simulator.rank.RankModel;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted results of clusters on whose GPUs trials take turns
 * (docs/searches.md). {@code -Delastune.fidelity.hermes=60} compares 60 jobs with spread.
 */
class HermesFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.hermes", 1, 10);
  private static final int EXACT_JOBS = Tier.runs("elastune.fidelity.exactHermes", 4, 100);
  private static final double P95 = 0.03;
  private static final IndependentDraws DRAWS = IndependentDraws.of(3_000, 100);

  /** Without spread, with the learning curves of the environment. */
  @Test
  void executesThePredictionToTheDigit() {
    List<String> different =
        DifferentExecutions.of(
            RandomHermesJobs::of,
            (job, seed) -> RankModel.recorded(curves(job, seed)),
            EXACT_JOBS,
            P95);

    assertThat(different).isEmpty();
  }

  @Test
  void independentDrawsConfirmThePrediction() {
    assertThat(DRAWS.off("with Hermes", JOBS, RandomHermesJobs::of)).isEmpty();
  }

  /** The curves of the environment of a rehearsal. */
  private static LearningCurves curves(PlannedRandomJob job, long seed) {
    TrialGroup group = job.problem().workload().groups().get(0);
    ProfileBasedTraining training =
        new ProfileBasedTraining(
            job.problem(),
            "acc",
            RandomStream.of(seed).substream("training"),
            FaultRates.NONE.trials());
    SortedMap<Integer, NavigableMap<Integer, LearningCurves.Point>> points = new TreeMap<>();
    for (int trial = 1; trial <= group.trials(); trial++) {
      NavigableMap<Integer, LearningCurves.Point> curve = new TreeMap<>();
      for (int unit = 1; unit <= group.toUnit(); unit++) {
        double metric = training.metrics(trial, unit).getOrDefault("acc", Double.NaN);
        curve.put(unit, new LearningCurves.Point(metric, OptionalDouble.empty()));
      }
      points.put(trial, curve);
    }
    return new LearningCurves(Metric.Goal.MAXIMIZE, points);
  }
}
