package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.HermesRule;
import io.elastune.core.policy.Width;
import io.elastune.executor.decision.KillableTestController.Kill;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.FluidDefinition.WidthTime;
import io.elastune.executor.decision.model.HermesDefinition;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A controller killed at every step of a search that Fluid or Hermes divides a cluster of four GPUs
 * among. {@link KillableTestController} checks that the journal restores the state of the policy.
 */
class PolicyRecoveryTest {
  private static final double AWAY_S = 20;

  /** Six trials run four at a time. When two are left, one of them changes to two GPUs. */
  static final RunDefinition FLUID =
      WorkedExampleRun.definition(
              new Workload(
                  List.of(
                      new Chain(
                          "",
                          List.of(new TrialGroup("1", 6, 0, 3), new TrialGroup("2", 3, 3, 8))))))
          .withFluid(Optional.of(fluid()));

  /** Six trials run four at a time, and are promoted one by one. The last one grows. */
  static final RunDefinition FLUID_RUNGS =
      WorkedExampleRun.definition(
              Workload.of(
                  new RungRule(
                      List.of(1, 2, 8),
                      6,
                      2,
                      RungRule.Variant.PROMOTION,
                      true,
                      OptionalInt.empty(),
                      OptionalInt.empty(),
                      false)))
          .withFluid(Optional.of(fluid()));

  /** Six trials on four GPUs: on two of them, two trials take turns. */
  static final RunDefinition HERMES =
      WorkedExampleRun.definition(
              new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 6, 0, 4))))))
          .withHermes(
              Optional.of(
                  HermesDefinition.of(new HermesRule(3, 2, false), WorkedExampleRun.PROFILE)));

  private static FluidDefinition fluid() {
    List<WidthTime> times =
        List.of(1, 2, 4).stream()
            .map(
                size ->
                    new WidthTime(
                        Width.of(size),
                        WorkedExampleRun.PROFILE.secondsPerUnit(size).orElseThrow()))
            .toList();
    FluidRule rule = new FluidRule(true, new TreeSet<>(List.of(1, 2, 4)), 1, 10);
    return new FluidDefinition(rule, times, 10, 0, List.of());
  }

  /** Workers end with their controller; they survive it, with and without their reports. */
  static List<SurvivingEnvironment.Nature> natures() {
    return List.of(
        new SurvivingEnvironment.Nature(false, false, 1),
        new SurvivingEnvironment.Nature(true, true, 1),
        new SurvivingEnvironment.Nature(true, false, 1));
  }

  @ParameterizedTest
  @MethodSource("natures")
  void fluidGivesTheSameResultAfterAKillAtEveryStep(SurvivingEnvironment.Nature nature) {
    check(FLUID, nature, DecisionKind.RESIZE);
  }

  /** Where reports are lost, trials end in another order, which changes promotions. */
  static List<SurvivingEnvironment.Nature> naturesWithReports() {
    return natures().subList(0, 2);
  }

  @ParameterizedTest
  @MethodSource("naturesWithReports")
  void fluidContinuesRungsAfterAKillAtEveryStep(SurvivingEnvironment.Nature nature) {
    check(FLUID_RUNGS, nature, DecisionKind.RESIZE);
  }

  @ParameterizedTest
  @MethodSource("natures")
  void hermesGivesTheSameResultAfterAKillAtEveryStep(SurvivingEnvironment.Nature nature) {
    check(HERMES, nature, DecisionKind.PREEMPT);
  }

  /**
   * @param decision what the policy decides at least once
   */
  private static void check(
      RunDefinition definition, SurvivingEnvironment.Nature nature, DecisionKind decision) {
    SurvivingEnvironment undisturbed = new SurvivingEnvironment(definition, nature, AWAY_S).run();
    assertThat(count(undisturbed, decision)).isPositive();
    List<Integer> commands = undisturbed.controller().commandsByStep();
    for (int step = 0; step < commands.size(); step++) {
      for (int done = -1; done <= commands.get(step); done++) {
        Kill kill = new Kill(step, done);
        SurvivingEnvironment resumed =
            new SurvivingEnvironment(definition, nature, AWAY_S, kill).run();
        RunState end = resumed.controller().state;
        assertThat(end.ending().exitCode()).as("%s", kill).isZero();
        assertThat(results(resumed)).as("%s", kill).isEqualTo(results(undisturbed));
        assertThat(end.trials().values())
            .as("%s", kill)
            .allMatch(trial -> trial.failures() == 0 && trial.retries() == 0);
      }
    }
  }

  private static long count(SurvivingEnvironment world, DecisionKind kind) {
    return world.controller().notes.stream()
        .filter(note -> note instanceof JournalNote.Decision)
        .filter(note -> ((JournalNote.Decision) note).kind() == kind)
        .count();
  }

  private static Map<Integer, String> results(SurvivingEnvironment world) {
    Map<Integer, String> results = new TreeMap<>();
    for (TrialState trial : world.controller().state.trials().values()) {
      results.put(trial.trial(), trial.status() + " at " + trial.unit() + ": " + trial.metric());
    }
    return results;
  }
}
