package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.FirstReports;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.MeasuredSpeed;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.SpeedRatio;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every write after which trials may start or instances may be released is recorded. */
final class TransitionTest {
  private static final Instant AT = VirtualEnvironment.START;
  private static final RunDefinition DEFINITION =
      WorkedExampleRun.definition(
          WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}}));
  private static final TrialState TRIAL = TrialState.fresh(1, 0);
  private static final LeaseState LEASE =
      LeaseState.requested(
          "test-1", 1, 0, "1", DEFINITION.offers().keySet().iterator().next(), 1, AT);
  private static final AttemptState ATTEMPT = attempt("1-1-1", 1, new GpuSlot("test-1", 0));

  private static Transition newTransition() {
    Transition first =
        new Transition(DEFINITION, RunState.initial(DEFINITION), new RunEvent.Began(AT));
    first.addTrial(TRIAL);
    first.put(LEASE);
    first.put(ATTEMPT);
    return new Transition(DEFINITION, first.toStepResult().state(), new RunEvent.Ticked(AT));
  }

  static Stream<Arguments> significant() {
    return Stream.of(
        write("phase", transition -> transition.phase(RunState.Phase.STOPPING)),
        write("chain", transition -> transition.chain(0, transition.chain(0).withReplaced(1))),
        write("new trial", transition -> transition.addTrial(TrialState.fresh(2, 0))),
        write("trial", transition -> transition.trial(1, trial -> trial.committed(1))),
        write("new attempt", transition -> transition.put(attempt("2-1-1"))),
        write(
            "end", transition -> transition.put(ATTEMPT.ending(AttemptState.EndReason.MOVED, AT))),
        write("removed attempt", transition -> transition.remove(ATTEMPT)),
        write("lease", transition -> transition.put(LEASE.running(AT))),
        write(
            "moving",
            transition -> transition.steering(transition.steering().with(Map.of(), Set.of(0)))));
  }

  static Stream<Arguments> insignificant() {
    return Stream.of(
        write("nothing", transition -> {}),
        write("same chain", transition -> transition.chain(0, transition.chain(0).withReplaced(0))),
        write("same lease", transition -> transition.put(LEASE)),
        write(
            "report",
            transition ->
                transition.put(
                    ATTEMPT.reported(1, OptionalDouble.empty(), false, AT, AT.plusSeconds(1)))),
        write(
            "pace",
            transition ->
                transition.steering(
                    transition
                        .steering()
                        .withPace(
                            new MeasuredSpeed(
                                new SpeedRatio(4, 1, 2, 3), new FirstReports(1, 2, 2, 3, 4), 1)))),
        write("warning", transition -> transition.ending(transition.ending().warned())));
  }

  private static Arguments write(String name, Consumer<Transition> write) {
    return Arguments.of(name, write);
  }

  private static AttemptState attempt(String id) {
    return attempt(id, 2, new GpuSlot("test-1", 1));
  }

  private static AttemptState attempt(String id, int trial, GpuSlot place) {
    return AttemptState.starting(0, AT)
        .attempt(id)
        .trial(trial)
        .group("1")
        .to(2)
        .places(List.of(place))
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("significant")
  void recordsSignificantWrites(String name, Consumer<Transition> write) {
    Transition transition = newTransition();
    write.accept(transition);
    assertThat(transition.moved()).as(name).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("insignificant")
  void ignoresOtherWrites(String name, Consumer<Transition> write) {
    Transition transition = newTransition();
    write.accept(transition);
    assertThat(transition.moved()).as(name).isFalse();
  }

  @Test
  void leavesTheOriginalStateUnchanged() {
    RunState state = newTransition().toStepResult().state();
    Transition transition = new Transition(DEFINITION, state, new RunEvent.Ticked(AT));
    transition.remove(ATTEMPT);
    transition.put(LEASE.running(AT));
    assertThat(state.attempts()).containsKey("1-1-1");
    assertThat(state.leases().get(1)).isEqualTo(LEASE);
    assertThat(transition.toStepResult().state().attempts()).isEmpty();
  }
}
