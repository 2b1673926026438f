package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.MeasurementChoice;
import io.elastune.executor.decision.model.MeasurementRule;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how long a profiling run measures its trials, and how many of them. */
class MeasurementTrialsTest {
  private static final int MOST = 1000;

  /** One second between reports is enough, or a difference of two between whole attempts. */
  private static final MeasurementRule ONE_TRIAL = new MeasurementRule(1, 2, 1, 0, 3);

  /** Attempts train up to these units, and continue from the checkpoint of the one before. */
  @ParameterizedTest
  @CsvSource({
    "4, 1, '1 5'",
    "0.4, 1, '1 5 10'",
    "0.01, 1, '1 5 40 139'",
    "0.01, 50, '1 5 12 24 48 96 192 384'",
    "1, 1000, '1 5 10 20'",
    "0.001, 1, '1 5 40 320 1000'",
  })
  void extendsUntilTheTimesAreKnown(double unitS, int every, String units) {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(ONE_TRIAL), (attempt, script) -> train(attempt, script, unitS, every))
            .run();

    assertThat(started(world)).extracting(Command.StartAttempt::to).containsExactly(ints(units));
    assertThat(started(world)).extracting(Command.StartAttempt::from).startsWith(0, 1);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  @Test
  void startsFromZeroWithoutCheckpoints() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(ONE_TRIAL),
                (attempt, script) ->
                    script.report(9, attempt.to(), 0.5).end(9.1 + attempt.to(), 0, 0, false))
            .run();

    assertThat(started(world)).extracting(Command.StartAttempt::from).containsOnly(0);
  }

  /** The first configurations crash, in their first attempt or when they resume. */
  @ParameterizedTest
  @CsvSource({"0", "1"})
  void triesAnotherConfigurationIfOneCrashes(int from) {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(ONE_TRIAL),
                (attempt, script) -> {
                  if (attempt.trial() <= 2 && attempt.from() == from) {
                    script.end(1, 1, from, false);
                  } else {
                    train(attempt, script, 4, 1);
                  }
                })
            .run();

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(world.state.trials().values())
        .extracting(TrialState::status)
        .containsExactly(
            TrialState.Status.FAILED, TrialState.Status.FAILED, TrialState.Status.COMPLETED);
  }

  @Test
  void failsIfAllConfigurationsCrash() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(ONE_TRIAL), (attempt, script) -> script.end(1, 1, 0, false))
            .run();

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(started(world)).hasSize(1 + 3);
  }

  /** Two of them may diverge by chance. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3", "4, 3"})
  void triesOtherConfigurationsUntilOneDoesNotDiverge(int good, int trials) {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(ONE_TRIAL),
                (attempt, script) -> {
                  double value = attempt.trial() < good ? Double.NaN : 0.5;
                  script.report(5, attempt.to(), value).end(5.1, 0, attempt.to(), false);
                })
            .run();

    assertThat(world.state.trials()).hasSize(trials);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  @Test
  void measuresMoreConfigurationsIfTheyAreShort() {
    MeasurementRule three = new MeasurementRule(1, 2, 3, 20, 3);
    VirtualEnvironment shortOnes =
        new VirtualEnvironment(definition(three), (a, script) -> train(a, script, 1, 1)).run();
    VirtualEnvironment longOnes =
        new VirtualEnvironment(definition(three), (a, script) -> train(a, script, 10, 1)).run();

    assertThat(shortOnes.state.trials()).hasSize(3);
    assertThat(longOnes.state.trials()).hasSize(1);
  }

  /**
   * Each group after the first waits for its allocation, and an answer without one ends the run.
   */
  @Test
  void startsWhatIsChosenAndEndsWhenThePlanIsDecided() {
    List<Command.ChooseMeasurement> asked = new ArrayList<>();
    VirtualEnvironment world =
        new VirtualEnvironment(choosing(), (attempt, script) -> train(attempt, script, 1, 1))
            .choosing(
                command -> {
                  asked.add(command);
                  return command.group() == 1
                      ? new MeasurementChoice(
                          Optional.of(new Allocation(WorkedExampleRun.OFFER.name(), 2, 2, 1)),
                          false,
                          1,
                          0.1,
                          0.5)
                      : new MeasurementChoice(Optional.empty(), false, 0.1, 0.01, 0.5);
                })
            .run();

    assertThat(asked).extracting(Command.ChooseMeasurement::group).containsExactly(1, 2);
    assertThat(asked.get(1).spentUsd()).isGreaterThan(asked.get(0).spentUsd());
    assertThat(started(world))
        .extracting(start -> start.group() + " " + start.places().size())
        .contains("1 1", "2 2")
        .doesNotContain("3 1");
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  private static RunDefinition choosing() {
    RunDefinition one = definition(ONE_TRIAL);
    List<TrialGroup> groups = new ArrayList<>();
    Map<String, Allocation> allocations = new TreeMap<>();
    Allocation first = one.plan().allocations().values().iterator().next();
    for (int i = 1; i <= 3; i++) {
      groups.add(new TrialGroup(Integer.toString(i), 8, 0, MOST));
      allocations.put(Integer.toString(i), first);
    }
    return RunDefinitionBuilder.builder(one)
        .workload(new Workload(List.of(new Chain("", groups))).resumable(true))
        .plan(new Plan(true, allocations))
        .forecasts(Map.of())
        .hangLimits(Map.of())
        .build()
        .withMeasurement(ONE_TRIAL.choosing());
  }

  /** The trial takes half a second to start, and writes a checkpoint at its end. */
  private static void train(
      Command.StartAttempt attempt, VirtualEnvironment.Script script, double unitS, int every) {
    double at = 0.5;
    for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
      at += unitS;
      if (unit % every == 0 || unit == attempt.to()) {
        script.report(at, unit, 0.5);
      }
    }
    script.end(at + 0.1, 0, attempt.to(), false);
  }

  private static List<Command.StartAttempt> started(VirtualEnvironment world) {
    return world.commands.stream()
        .filter(Command.StartAttempt.class::isInstance)
        .map(Command.StartAttempt.class::cast)
        .toList();
  }

  private static Integer[] ints(String text) {
    return List.of(text.split(" ", -1)).stream().map(Integer::valueOf).toArray(Integer[]::new);
  }

  private static RunDefinition definition(MeasurementRule rule) {
    RunDefinition some =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}));
    TrialGroup group = new TrialGroup("1", 1, 0, MOST);
    return RunDefinitionBuilder.builder(some)
        .workload(new Workload(List.of(new Chain("", List.of(group)))))
        .plan(new Plan(true, Map.of("1", new Allocation(WorkedExampleRun.OFFER.name(), 1, 1, 1))))
        .maxFailures(0)
        .budget(Optional.empty())
        .forecasts(Map.of())
        .hangLimits(Map.of())
        .build()
        .withMeasurement(rule);
  }
}
