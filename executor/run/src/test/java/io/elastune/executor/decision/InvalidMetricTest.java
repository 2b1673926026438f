package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.TrialState.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests trials without a value of the metric, and runs with too many failed trials. */
class InvalidMetricTest {
  private static final Workload HALVING = WorkedExampleRun.WORKLOAD;

  /** Two brackets: 4 trials of which 2 continue, and 2 of which 1 continues. */
  private static final Workload BRACKETS =
      new Workload(
          List.of(
              new Chain(
                  "a", List.of(new TrialGroup("a.1", 4, 0, 1), new TrialGroup("a.2", 2, 1, 2))),
              new Chain(
                  "b", List.of(new TrialGroup("b.1", 2, 0, 2), new TrialGroup("b.2", 1, 2, 4)))));

  /** The same brackets, one after the other. */
  private static final Workload SEQUENTIAL =
      new Workload(List.of(new Chain("", BRACKETS.groups())));

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void invalidTrialIsNeverPromoted(double invalid) {
    VirtualEnvironment world =
        run(HALVING, OptionalInt.empty(), trial -> acc(trial > 5 ? invalid : trial / 100.0));

    assertThat(outcome(world)).isEqualTo(RunOutcome.COMPLETED);
    assertThat(started(world, "2")).containsExactly(1, 2, 3, 4, 5);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(4, 5);
  }

  @Test
  void trialWithoutTheMetricIsNeverPromoted() {
    VirtualEnvironment world =
        run(HALVING, OptionalInt.empty(), trial -> trial > 1 ? Map.of("loss", 0.1) : acc(0.1));

    assertThat(outcome(world)).isEqualTo(RunOutcome.COMPLETED);
    assertThat(started(world, "2")).containsExactly(1);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(1);
  }

  @Test
  void unreportedMetricStopsTheRun() {
    VirtualEnvironment world =
        run(HALVING, OptionalInt.empty(), trial -> Map.of("loss", 0.1, "accuracy", 0.9));

    assertThat(outcome(world)).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(world.state.ending().reason())
        .contains(
            DecisionReason.of(
                ReasonCode.METRIC_UNUSABLE, "1", "acc", "16", "0", "accuracy", "loss"));
    assertThat(started(world, "2")).isEmpty();
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @Test
  void divergedTrialsStopTheRun() {
    VirtualEnvironment world =
        run(
            HALVING,
            OptionalInt.empty(),
            trial -> trial == 1 ? Map.of() : acc(trial % 2 == 0 ? Double.NaN : -1 / 0.0));

    assertThat(outcome(world)).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(world.state.ending().reason())
        .contains(DecisionReason.of(ReasonCode.METRIC_UNUSABLE, "1", "acc", "1", "15"));
  }

  @Test
  void divergenceNamesItsRemedy() {
    VirtualEnvironment world = run(HALVING, OptionalInt.empty(), trial -> acc(Double.NaN));

    assertThat(world.state.ending().reason())
        .contains(DecisionReason.of(ReasonCode.METRIC_UNUSABLE, "1", "acc", "0", "16"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void divergedBracketEndsAlone(boolean sequential) {
    VirtualEnvironment world =
        run(
            brackets(sequential),
            OptionalInt.empty(),
            trial -> acc(trial <= 4 ? Double.NaN : trial / 100.0));

    assertThat(outcome(world)).isEqualTo(RunOutcome.COMPLETED);
    assertThat(started(world, "a.2")).isEmpty();
    assertThat(trials(world, Status.STOPPED)).containsExactly(1, 2, 3, 4, 5);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(6);
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void runWithoutAnyValueFailsAtItsEnd(boolean sequential) {
    VirtualEnvironment world =
        run(brackets(sequential), OptionalInt.empty(), trial -> acc(Double.NaN));

    assertThat(outcome(world)).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(world.state.ending().reason())
        .contains(DecisionReason.of(ReasonCode.METRIC_UNUSABLE, "b.1", "acc", "0", "2"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void unreportedMetricStopsAllBrackets(boolean sequential) {
    VirtualEnvironment world =
        run(brackets(sequential), OptionalInt.empty(), trial -> Map.of("accuracy", 0.5));

    assertThat(outcome(world)).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(world.state.ending().reason())
        .contains(
            DecisionReason.of(ReasonCode.METRIC_UNUSABLE, "a.1", "acc", "4", "0", "accuracy"));
    assertThat(started(world, "b.2")).isEmpty();
  }

  private static Workload brackets(boolean sequential) {
    return sequential ? SEQUENTIAL : BRACKETS;
  }

  /** A crashing trial reports nothing; here the trials with even numbers crash. */
  @Test
  void tooManyFailedTrialsStopTheRun() {
    VirtualEnvironment world = failing(OptionalInt.of(3));

    assertThat(outcome(world)).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(world.state.ending().reason())
        .contains(DecisionReason.of(ReasonCode.TOO_MANY_TRIALS_FAILED, "4", "3"));
    assertThat(started(world, "2")).isEmpty();
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, -1})
  void toleratedFailuresDoNotStopTheRun(int limit) {
    VirtualEnvironment world = failing(limit < 0 ? OptionalInt.empty() : OptionalInt.of(limit));

    assertThat(outcome(world)).isEqualTo(RunOutcome.COMPLETED);
    assertThat(trials(world, Status.FAILED)).hasSize(8);
  }

  private static VirtualEnvironment failing(OptionalInt limit) {
    return new VirtualEnvironment(
            definition(HALVING, limit),
            (attempt, script) -> {
              if (attempt.trial() % 2 == 0) {
                script.end(5, 1, 0, false);
              } else {
                WorkedExampleRun.punctual(attempt, script);
              }
            })
        .run();
  }

  private static Map<String, Double> acc(double value) {
    return Map.of("acc", value);
  }

  private static VirtualEnvironment run(
      Workload workload, OptionalInt limit, Function<Integer, Map<String, Double>> metrics) {
    return new VirtualEnvironment(
            definition(workload, limit),
            (attempt, script) ->
                script
                    .report(40, attempt.to(), metrics.apply(attempt.trial()))
                    .end(41, 0, attempt.to(), false))
        .run();
  }

  /** A definition with predictions: one without is a profiling run, which compares no trials. */
  private static RunDefinition definition(Workload workload, OptionalInt maxFailedTrials) {
    RunDefinition some =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}}));
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    Map<String, RunDefinition.Forecast> forecasts = new TreeMap<>();
    Map<String, HangLimit> hangLimits = new TreeMap<>();
    for (TrialGroup group : workload.groups()) {
      allocations.put(group.name(), new Allocation(WorkedExampleRun.OFFER.name(), 1, 1, 1));
      forecasts.put(group.name(), new RunDefinition.Forecast(60, 0.5));
      hangLimits.put(group.name(), HangLimit.fixed(400));
    }
    return RunDefinitionBuilder.builder(some)
        .workload(workload)
        .plan(new Plan(false, allocations))
        .maxFailedTrials(maxFailedTrials)
        .forecasts(forecasts)
        .hangLimits(hangLimits)
        .build();
  }

  private static RunOutcome outcome(VirtualEnvironment world) {
    assertThat(world.state.phase()).isEqualTo(RunState.Phase.FINISHED);
    return world.state.ending().outcome();
  }

  private static Set<Integer> started(VirtualEnvironment world, String group) {
    Set<Integer> trials = new TreeSet<>();
    for (Command command : world.commands) {
      if (command instanceof Command.StartAttempt start && start.group().equals(group)) {
        trials.add(start.trial());
      }
    }
    return trials;
  }

  private static List<Integer> trials(VirtualEnvironment world, Status status) {
    return world.state.trials().values().stream()
        .filter(trial -> trial.status() == status)
        .map(TrialState::trial)
        .toList();
  }
}
