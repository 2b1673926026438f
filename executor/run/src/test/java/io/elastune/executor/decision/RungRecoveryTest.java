package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.RungState;
import io.elastune.executor.decision.KillableTestController.Kill;
import io.elastune.executor.decision.SurvivingEnvironment.Nature;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState.Status;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A controller killed at every step of asynchronous Hyperband. {@link KillableTestController}
 * checks that the journal restores the state of the search.
 */
class RungRecoveryTest {
  private static final double AWAY_S = 20;
  private static final int TRIALS = 7;
  private static final Set<Status> ENDED = EnumSet.of(Status.COMPLETED, Status.STOPPED);

  /** Workers end with their controller; they survive it, with and without their reports. */
  private static final List<Nature> NATURES =
      List.of(new Nature(false, false, 1), new Nature(true, true, 1), new Nature(true, false, 1));

  private static RunDefinition definition(Variant variant) {
    RungRule rule =
        new RungRule(
                List.of(1, 2, 4),
                TRIALS,
                2,
                variant,
                true,
                OptionalInt.empty(),
                OptionalInt.empty(),
                false)
            .withBrackets(3);
    return WorkedExampleRun.definition(Workload.of(rule));
  }

  @ParameterizedTest
  @EnumSource(Variant.class)
  void endsInOrderAfterAKillAtEveryStep(Variant variant) {
    RunDefinition definition = definition(variant);
    for (Nature nature : NATURES) {
      SurvivingEnvironment undisturbed = new SurvivingEnvironment(definition, nature, AWAY_S).run();
      check(undisturbed, "undisturbed");
      List<Integer> commands = undisturbed.controller().commandsByStep();
      for (int step = 0; step < commands.size(); step++) {
        for (int done = -1; done <= commands.get(step); done++) {
          Kill kill = new Kill(step, done);
          check(new SurvivingEnvironment(definition, nature, AWAY_S, kill).run(), kill.toString());
        }
      }
    }
  }

  private static void check(SurvivingEnvironment world, String kill) {
    RunState end = world.controller().state;
    RungState rungs = end.chains().get(0).rungs().orElseThrow();
    assertThat(end.ending().exitCode()).as(kill).isZero();
    assertThat(rungs.isFinished()).as(kill).isTrue();
    assertThat(rungs.firstResults()).as(kill).hasSize(TRIALS);
    assertThat(end.trials()).as(kill).hasSize(TRIALS);
    assertThat(end.trials().values())
        .as(kill)
        .allMatch(trial -> trial.failures() == 0 && trial.retries() == 0)
        .allMatch(trial -> ENDED.contains(trial.status()));
  }
}
