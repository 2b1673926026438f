package io.elastune.executor.decision;

import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Gives the decision core one event at a time, and collects its decisions. */
final class RunStepper {
  final List<JournalNote> notes = new ArrayList<>();
  RunState state;
  private final RunCore core;

  RunStepper(RunCore core, RunDefinition definition, Instant at) {
    this.core = core;
    state = RunState.confirmed(definition, at);
  }

  void cloud(CloudEvent event) {
    step(new RunEvent.FromCloud(event));
  }

  void step(RunEvent event) {
    StepResult result = core.step(state, event);
    state = result.state();
    notes.addAll(result.notes());
  }

  static Node node() {
    return new Node(
        "127.0.0.1", Collections.nCopies(WorkedExampleRun.OFFER.gpus(), "0"), List.of());
  }
}
