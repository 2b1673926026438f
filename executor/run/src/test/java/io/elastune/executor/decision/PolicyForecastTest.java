package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Forecasts of clusters that Fluid or Hermes divides, and notices of deadlines at risk. */
class PolicyForecastTest {
  private static final SurvivingEnvironment.Nature NATURE =
      new SurvivingEnvironment.Nature(true, true, 1);

  @Test
  void hermesForecastsItsEnd() {
    check(PolicyRecoveryTest.HERMES, 0.05);
  }

  @Test
  void fluidForecastsItsEnd() {
    check(PolicyRecoveryTest.FLUID, 0.25);
  }

  @Test
  void fluidForecastsTheEndOfRungs() {
    check(PolicyRecoveryTest.FLUID_RUNGS, 0.25);
  }

  /** A deadline just before the end is at risk from the beginning; a later one never. */
  private static void check(RunDefinition definition, double share) {
    double endS = endS(run(definition));
    List<JournalNote.Decision> notices = notices(run(within(definition, endS * (1 - share) - 1)));

    assertThat(notices).hasSize(1);
    assertThat(notices.get(0).numbers().get("forecast_s"))
        .isBetween(endS * (1 - share), endS * (1 + share));
    assertThat(notices(run(within(definition, endS * (1 + share))))).isEmpty();
  }

  private static SurvivingEnvironment run(RunDefinition definition) {
    return new SurvivingEnvironment(definition, NATURE, 0).run();
  }

  private static RunDefinition within(RunDefinition definition, double deadlineS) {
    return definition.withLimits(
        Optional.empty(), OptionalDouble.empty(), OptionalDouble.of(deadlineS));
  }

  private static double endS(SurvivingEnvironment world) {
    RunState end = world.controller().state;
    return Seconds.between(end.began().orElseThrow(), end.completedAt().orElseThrow());
  }

  private static List<JournalNote.Decision> notices(SurvivingEnvironment world) {
    return world.controller().notes.stream()
        .filter(note -> note instanceof JournalNote.Decision)
        .map(note -> (JournalNote.Decision) note)
        .filter(decision -> decision.kind() == DecisionKind.AT_RISK)
        .toList();
  }
}
