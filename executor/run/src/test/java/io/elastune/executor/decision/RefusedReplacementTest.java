package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * The only instance is lost, and its replacement refused while its trials are still being ended.
 */
class RefusedReplacementTest {
  private static final RunDefinition DEFINITION =
      WorkedExampleRun.replanned(
          WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 2}}),
          Optional.empty(),
          OptionalDouble.of(4000));

  private final RunCore core = new RunCore(DEFINITION);
  private final List<Command> commands = new ArrayList<>();
  private RunState state = RunState.initial(DEFINITION);
  private Instant now = VirtualEnvironment.START;

  @Test
  void trialsOnALostInstanceDoNotCountAsTraining() {
    step(new RunEvent.Began(now));
    String first = lastRequested();
    cloud(new CloudEvent.Running(first, "i-1", now));
    Node node = new Node("127.0.0.1", Collections.nCopies(WorkedExampleRun.OFFER.gpus(), "0"));
    cloud(new CloudEvent.Ready(first, node, now));
    assertThat(commands).anyMatch(Command.StartAttempt.class::isInstance);
    cloud(new CloudEvent.Lost(first, LossReason.FAILED, "no answer", now));
    String replacement = lastRequested();
    assertThat(replacement).isNotEqualTo(first);
    cloud(new CloudEvent.Refused(replacement, RefusalReason.CAPACITY, "sold out", now));

    Command.Replan replan = nextReplan();

    assertThat(replan.question().chains().get(0).running()).as("still being ended").isTrue();
    assertThat(replan.question().chains().get(0).canGoOn()).isFalse();
  }

  /** Ticks until the first request for a plan after the refusal. */
  private Command.Replan nextReplan() {
    for (int seconds = 0; seconds < 60; seconds++) {
      for (Command command : List.copyOf(commands)) {
        if (command instanceof Command.Replan replan) {
          if (!replan.question().refused().isEmpty()) {
            return replan;
          }
          commands.remove(command);
          step(new RunEvent.Replanned(replan.number(), ReplanResponse.NONE, now));
        }
      }
      step(new RunEvent.Ticked(now));
    }
    throw new AssertionError("no plan was requested: " + commands);
  }

  private String lastRequested() {
    return commands.stream()
        .filter(Command.RequestInstance.class::isInstance)
        .map(command -> ((Command.RequestInstance) command).lease())
        .reduce((one, other) -> other)
        .orElseThrow();
  }

  private void cloud(CloudEvent event) {
    step(new RunEvent.FromCloud(event));
  }

  private void step(RunEvent event) {
    StepResult result = core.step(state, event);
    state = result.state();
    commands.addAll(result.commands());
    now = now.plusSeconds(1);
  }
}
