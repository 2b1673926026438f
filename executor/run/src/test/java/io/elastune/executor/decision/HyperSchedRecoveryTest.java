package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.Width;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.KillableTestController.Kill;
import io.elastune.executor.decision.SurvivingEnvironment.Nature;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.FluidDefinition.WidthTime;
import io.elastune.executor.decision.model.HyperSchedDefinition;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.TrialState.Status;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A controller killed at every step of a search that HyperSched runs until its deadline on four
 * GPUs. {@link KillableTestController} checks that the journal restores the state of the policy.
 */
class HyperSchedRecoveryTest {
  private static final double AWAY_S = 20;
  private static final Set<Status> ENDED = EnumSet.of(Status.COMPLETED, Status.STOPPED);

  private static final Workload RUNGS =
      Workload.of(
          new RungRule(
              List.of(1, 4),
              8,
              2,
              RungRule.Variant.STOPPING,
              false,
              OptionalInt.empty(),
              OptionalInt.empty(),
              false));

  /** Ends at its deadline if that is early, and after its last trial otherwise. */
  private static RunDefinition definition(double deadlineS) {
    RunDefinition example = WorkedExampleRun.definition(RUNGS);
    return example
        .withLimits(Optional.empty(), OptionalDouble.empty(), OptionalDouble.of(deadlineS))
        .withHyperSched(Optional.of(hyperSched()));
  }

  private static HyperSchedDefinition hyperSched() {
    List<WidthTime> times =
        List.of(1, 2, 4).stream()
            .map(
                size ->
                    new WidthTime(
                        Width.of(size),
                        WorkedExampleRun.PROFILE.secondsPerUnit(size).orElseThrow()))
            .toList();
    HyperSchedRule rule =
        new HyperSchedRule(List.of(1, 4), 2, new TreeSet<>(List.of(1, 2, 4)), 1.1, 1);
    return new HyperSchedDefinition(rule, times, 10, 0, new PolicyView.Timing(0, 10, 30));
  }

  /** Workers end with their controller; they survive it, with and without their reports. */
  static List<Nature> natures() {
    return List.of(
        new Nature(false, false, 1), new Nature(true, true, 1), new Nature(true, false, 1));
  }

  @ParameterizedTest
  @MethodSource("natures")
  void endsInOrderAfterAKillAtEveryStep(Nature nature) {
    SurvivingEnvironment whole = new SurvivingEnvironment(definition(5_000), nature, AWAY_S).run();
    RunState end = whole.controller().state;
    double wholeS = Seconds.between(end.began().orElseThrow(), end.completedAt().orElseThrow());
    for (double deadlineS : new double[] {Math.rint(wholeS / 2), 5_000}) {
      RunDefinition definition = definition(deadlineS);
      SurvivingEnvironment undisturbed = new SurvivingEnvironment(definition, nature, AWAY_S).run();
      check(undisturbed, "undisturbed");
      assertThat(undisturbed.controller().state.ending().exitCode()).isZero();
      assertThat(kinds(whole)).contains(DecisionKind.PREEMPT);
      assertThat(kinds(undisturbed).contains(DecisionKind.DEADLINE)).isEqualTo(deadlineS < wholeS);
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
    boolean hasResult = end.trials().values().stream().anyMatch(TrialState::hasValue);
    assertThat(end.ending().exitCode()).as(kill).isEqualTo(hasResult ? 0 : 13);
    assertThat(end.trials().values())
        .as(kill)
        .allMatch(trial -> trial.failures() == 0 && trial.retries() == 0)
        .allMatch(trial -> ENDED.contains(trial.status()));
  }

  private static Set<DecisionKind> kinds(SurvivingEnvironment world) {
    return world.controller().notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).kind())
        .collect(Collectors.toSet());
  }
}
