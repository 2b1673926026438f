package io.elastune.executor.core;

import static org.assertj.core.api.Assertions.assertThat;

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
final class DraftTest {
  private static final Instant AT = VirtualWorld.START;
  private static final RunDefinition DEFINITION =
      Scenario.definition(Scenario.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}}));
  private static final TrialState TRIAL = TrialState.fresh(1, 0);
  private static final LeaseState LEASE =
      LeaseState.requested(
          "test-1", 1, 0, "1", DEFINITION.offers().keySet().iterator().next(), 1, AT);
  private static final AttemptState ATTEMPT =
      new AttemptState(
          "1-1-1",
          1,
          0,
          "1",
          0,
          2,
          List.of(new Place("test-1", 0)),
          0,
          AT,
          AT,
          AT,
          OptionalDouble.empty(),
          AttemptState.Ending.NOT);

  private static Draft draft() {
    Draft first = new Draft(DEFINITION, RunState.initial(DEFINITION), new RunEvent.Began(AT));
    first.addTrial(TRIAL);
    first.put(LEASE);
    first.put(ATTEMPT);
    return new Draft(DEFINITION, first.freeze().state(), new RunEvent.Ticked(AT));
  }

  static Stream<Arguments> significant() {
    return Stream.of(
        write("phase", draft -> draft.phase(RunState.Phase.STOPPING)),
        write("chain", draft -> draft.chain(0, draft.chain(0).withReplaced(1))),
        write("new trial", draft -> draft.addTrial(TrialState.fresh(2, 0))),
        write("trial", draft -> draft.trial(1, trial -> trial.committed(1))),
        write("new attempt", draft -> draft.put(attempt("2-1-1"))),
        write("end", draft -> draft.put(ATTEMPT.ending(AttemptState.Ending.MOVED, AT))),
        write("removed attempt", draft -> draft.remove(ATTEMPT)),
        write("lease", draft -> draft.put(LEASE.running(AT))),
        write("moving", draft -> draft.steering(draft.steering().with(Map.of(), Set.of(0)))));
  }

  static Stream<Arguments> insignificant() {
    return Stream.of(
        write("nothing", draft -> {}),
        write("same chain", draft -> draft.chain(0, draft.chain(0).withReplaced(0))),
        write("same lease", draft -> draft.put(LEASE)),
        write(
            "report",
            draft -> draft.put(ATTEMPT.reported(1, OptionalDouble.empty(), AT, AT.plusSeconds(1)))),
        write("pace", draft -> draft.steering(draft.steering().withPace(new Pace(1, 2, 3)))),
        write("warning", draft -> draft.ending(draft.ending().warned())));
  }

  private static Arguments write(String name, Consumer<Draft> write) {
    return Arguments.of(name, write);
  }

  private static AttemptState attempt(String id) {
    return new AttemptState(
        id,
        2,
        0,
        "1",
        0,
        2,
        List.of(new Place("test-1", 1)),
        0,
        AT,
        AT,
        AT,
        OptionalDouble.empty(),
        AttemptState.Ending.NOT);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("significant")
  void recordsSignificantWrites(String name, Consumer<Draft> write) {
    Draft draft = draft();
    write.accept(draft);
    assertThat(draft.moved()).as(name).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("insignificant")
  void ignoresOtherWrites(String name, Consumer<Draft> write) {
    Draft draft = draft();
    write.accept(draft);
    assertThat(draft.moved()).as(name).isFalse();
  }

  @Test
  void leavesTheOriginalStateUnchanged() {
    RunState state = draft().freeze().state();
    Draft draft = new Draft(DEFINITION, state, new RunEvent.Ticked(AT));
    draft.remove(ATTEMPT);
    draft.put(LEASE.running(AT));
    assertThat(state.attempts()).containsKey("1-1-1");
    assertThat(state.leases().get(1)).isEqualTo(LEASE);
    assertThat(draft.freeze().state().attempts()).isEmpty();
  }
}
