package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Metric;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.BestReport;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests which value of a trial counts, in the worked example: 16 trials, of which 8, 4, 2 train on.
 */
class BestMetricTest {
  private static final int[][] PLAN = {{4, 1}, {2, 1}, {2, 2}, {2, 4}};

  /** The later reports of trial 16, the best one of the first group, are worse than all others. */
  private static void train(Command.StartAttempt attempt, VirtualEnvironment.Script script) {
    for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
      double value = attempt.trial() / 100.0;
      boolean gettingWorse = attempt.trial() == 16 && unit > 1;
      script.report(10 * (unit - attempt.from()), unit, gettingWorse ? -unit : value);
    }
    script.end(10 * (attempt.to() - attempt.from()), 0, attempt.to(), false);
  }

  private static VirtualEnvironment run(Metric.Scope scope) {
    Metric metric =
        new Metric(
            "acc", Metric.Goal.MAXIMIZE, Optional.empty(), Optional.empty(), Optional.of(scope));
    return new VirtualEnvironment(
            RunDefinitionBuilder.builder(WorkedExampleRun.definition(WorkedExampleRun.plan(PLAN)))
                .metric(metric)
                .build(),
            BestMetricTest::train)
        .run();
  }

  @Test
  void lastValueDecidesWithoutScope() {
    VirtualEnvironment world = run(Metric.Scope.LAST);

    assertThat(trial(world).status()).isEqualTo(TrialState.Status.STOPPED);
    assertThat(trial(world).metric()).isEqualTo(OptionalDouble.of(-2));
    assertThat(trial(world).best()).isEmpty();
  }

  @Test
  void bestValueDecidesOverAllAttempts() {
    VirtualEnvironment world = run(Metric.Scope.BEST);

    assertThat(trial(world).status()).isEqualTo(TrialState.Status.COMPLETED);
    assertThat(trial(world).unit()).isEqualTo(8);
    assertThat(trial(world).metric()).isEqualTo(OptionalDouble.of(0.16));
    assertThat(trial(world).best()).contains(new BestReport(1, 0.16));
    assertThat(world.notes).noneMatch(JournalNote.TrialFault.class::isInstance);
  }

  private static TrialState trial(VirtualEnvironment world) {
    Map<Integer, TrialState> trials = new TreeMap<>(world.state.trials());
    return trials.getOrDefault(16, TrialState.fresh(16, 0));
  }
}
