package io.elastune.executor.core;

import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The decision core. Pure: the same state and event give the same step, and the journalled events
 * give the state again.
 */
public final class RunCore {
  private final RunDefinition definition;

  public RunCore(RunDefinition definition) {
    this.definition = definition;
  }

  /**
   * What followed from a journalled event.
   *
   * @param now the latest moment told before it: what is due since then is decided by that, too
   */
  public Step replay(RunState state, RunEvent event, Instant now) {
    return step(state.begun().at(now), event);
  }

  /**
   * What follows from {@code event} in {@code state}. Nothing follows once the run is finished,
   * unless it is resumed.
   */
  public Step step(RunState state, RunEvent event) {
    if (state.phase() == RunState.Phase.FINISHED && !(event instanceof RunEvent.Resumed)) {
      return new Step(state, List.of(), List.of());
    }
    Draft draft = new Draft(definition, state, event);
    Closing.look(draft);
    event.match(new Dispatch(draft));
    Reminder.tick(draft);
    if (draft.moved()) {
      Restart.settle(draft);
      Notice.settle(draft);
      Scheduler.settle(draft);
      Moves.settle(draft);
      Closing.settle(draft);
    }
    Replanning.look(draft, event instanceof RunEvent.Ticked);
    return draft.freeze();
  }

  /** Sends each event to the part that it concerns. */
  private record Dispatch(Draft draft) implements RunEvent.Visitor<Draft> {
    @Override
    public Draft began(RunEvent.Began event) {
      if (draft.running()) { // else it was told to stop before it had begun
        Scheduler.begin(draft);
      }
      return draft;
    }

    @Override
    public Draft resumed(RunEvent.Resumed event) {
      Restart.resume(draft, event);
      return draft;
    }

    @Override
    public Draft ticked(RunEvent.Ticked event) {
      Watch.tick(draft);
      Closing.tick(draft);
      return draft;
    }

    @Override
    public Draft cloud(RunEvent.FromCloud event) {
      CloudEvent told = event.event();
      told.match(new CloudEventHandler(draft));
      Watch.money(draft);
      return draft;
    }

    @Override
    public Draft engine(RunEvent.FromEngine event) {
      EngineEvent told = event.event();
      Optional<AttemptState> attempt = draft.attempt(told.attempt());
      if (attempt.isPresent()) {
        told.match(new Supervisor(draft, attempt.get()));
      } else if (told instanceof EngineEvent.Ended ended) {
        Supervisor.endedBelated(draft, ended);
      }
      return draft;
    }

    @Override
    public Draft replanned(RunEvent.Replanned event) {
      Adoption.take(draft, event);
      return draft;
    }

    @Override
    public Draft budgetAnswered(RunEvent.BudgetAnswered event) {
      MoreMoney.take(draft, event);
      return draft;
    }

    @Override
    public Draft stopAsked(RunEvent.StopAsked event) {
      draft.stop(event.exitCode(), "stopped by " + event.by(), event.now());
      return draft;
    }
  }
}
