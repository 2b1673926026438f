package io.elastune.executor.decision.model;

import java.util.List;

/** The result of one event: the new state, the commands and the notes. */
public record StepResult(RunState state, List<Command> commands, List<JournalNote> notes) {
  public StepResult {
    commands = List.copyOf(commands);
    notes = List.copyOf(notes);
  }
}
