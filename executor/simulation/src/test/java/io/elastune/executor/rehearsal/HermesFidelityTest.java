package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.job.Metric;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.LearningCurves;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.simulator.rank.RankModel;
import java.util.List;
import java.util.Map;
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
  private static final int UNITS = 24;
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

  /**
   * How fast trials converge does not depend on how long their attempts take to start, where all
   * trials have a GPU from the start.
   */
  @Test
  void startUpsDecideNoPreemption() {
    int preempted = 0;
    for (long seed = 1; seed <= EXACT_JOBS; seed++) {
      PlannedRandomJob job = RungFidelityTest.exactly(RandomHermesJobs.of(seed));
      Problem problem = job.problem();
      int places =
          problem.cluster().orElseThrow().instances()
              * problem.offers().get(0).gpus()
              * problem.hermes().orElseThrow().jobsPerGpu();
      TrialGroup group = new TrialGroup("1", places, 0, UNITS);
      Problem longer = problem.withWorkload(new Workload(List.of(new Chain("", List.of(group)))));
      PlannedRandomJob full = new PlannedRandomJob(longer, job.plan());
      int expected = preemptions(withStartup(full, new Spread(300, 0)), seed);
      assertThat(preemptions(withStartup(full, new Spread(300, 0.3)), seed))
          .as("job %d", seed)
          .isEqualTo(expected);
      preempted += expected;
    }
    assertThat(preempted).isPositive();
  }

  private static PlannedRandomJob withStartup(PlannedRandomJob job, Spread startupS) {
    Problem problem = job.problem();
    Profile profile = problem.profiles().get("V100").withStartup(startupS);
    return new PlannedRandomJob(
        problem.with(problem.offers(), Map.of("V100", profile)), job.plan());
  }

  private static int preemptions(PlannedRandomJob job, long seed) {
    int[] count = {0};
    RehearsedJob rehearsed = job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
    new Rehearsal(
            rehearsed,
            definition -> {
              RunCore core = new RunCore(definition);
              return (state, event) -> {
                StepResult step = core.step(state, event);
                count[0] +=
                    (int)
                        step.notes().stream()
                            .filter(
                                note ->
                                    note instanceof JournalNote.Decision decision
                                        && decision.kind() == DecisionKind.PREEMPT)
                            .count();
                return step;
              };
            })
        .run(seed);
    return count[0];
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
