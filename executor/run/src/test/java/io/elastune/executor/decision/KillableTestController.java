package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A controller with a journal in memory that is killed at a given step. */
final class KillableTestController {
  /**
   * The step at which the controller is killed.
   *
   * @param step the journaled step, counted over all controllers of the run
   * @param commands number of its commands that are executed; -1: not even the step is journaled
   */
  record Kill(int step, int commands) {}

  /** Signals that the controller was killed. */
  static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private record Entry(RunEvent event, Instant now, int commands) {}

  private final RunDefinition definition;
  private final RunCore core;
  private final List<Entry> journal = new ArrayList<>();
  final List<JournalNote> notes = new ArrayList<>();
  private int unconfirmed;
  RunState state;

  KillableTestController(RunDefinition definition) {
    this.definition = definition;
    core = new RunCore(definition);
    state = RunState.initial(definition);
  }

  /** The number of commands of each journaled step. */
  List<Integer> commandsByStep() {
    return journal.stream().map(Entry::commands).toList();
  }

  boolean finished() {
    return state.phase() == RunState.Phase.FINISHED;
  }

  /** Handles an event as the runtime does. */
  void take(RunEvent event, Kill kill, Command.Visitor world) {
    StepResult stepResult = core.step(state, event);
    boolean idle =
        event instanceof RunEvent.Ticked
            && stepResult.state().equals(state.at(stepResult.state().now()))
            && stepResult.commands().isEmpty()
            && stepResult.notes().isEmpty();
    if (idle) {
      state = stepResult.state();
      return;
    }
    boolean dies = journal.size() == kill.step();
    if (dies && kill.commands() < 0) {
      throw new Died();
    }
    state = stepResult.state();
    journal.add(new Entry(event, state.now(), stepResult.commands().size()));
    notes.addAll(stepResult.notes());
    unconfirmed += stepResult.commands().size();
    for (int i = 0; i < stepResult.commands().size(); i++) {
      if (dies && kill.commands() == i) {
        throw new Died();
      }
      stepResult.commands().get(i).match(world);
    }
    if (dies) {
      throw new Died();
    }
    unconfirmed -= stepResult.commands().size();
  }

  /** The state that the next controller reads from the journal. */
  RunEvent.Resumed restore(Instant at) {
    RunState before = state;
    RunState restored = RunState.initial(definition);
    for (Entry entry : journal) {
      restored = core.replay(restored, entry.event(), entry.now()).state();
    }
    assertThat(restored.at(before.now())).isEqualTo(before);
    state = restored;
    RunEvent.Resumed resumed = new RunEvent.Resumed(unconfirmed, at);
    unconfirmed = 0;
    return resumed;
  }
}
