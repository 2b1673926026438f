package io.elastune.executor.core;

import java.util.List;

/** What came of one event. */
public record Step(RunState state, List<Command> commands, List<Note> notes) {
  public Step {
    commands = List.copyOf(commands);
    notes = List.copyOf(notes);
  }
}
