package io.elastune.executor.core;

import java.util.List;

/** The result of one event: the new state, the commands and the notes. */
public record Step(RunState state, List<Command> commands, List<Note> notes) {
  public Step {
    commands = List.copyOf(commands);
    notes = List.copyOf(notes);
  }
}
