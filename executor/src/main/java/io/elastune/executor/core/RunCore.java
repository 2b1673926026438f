package io.elastune.executor.core;

import io.elastune.executor.engine.EngineEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The decision core of a run, a pure function: the same state and event give the same step. So the
 * events in the journal reproduce the state.
 */
public final class RunCore {
  private final RunDefinition definition;

  public RunCore(RunDefinition definition) {
    this.definition = definition;
  }

  /**
   * Decides a journaled event again.
   *
   * @param now the time of the state before the event, on which due requests also depend
   */
  public Step replay(RunState state, RunEvent event, Instant now) {
    return step(state.begun().at(now), event);
  }

  /**
   * Returns the step after {@code event} in {@code state}. A finished run ignores every event
   * except its resumption.
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

  /** Dispatches each event to the part that handles it. */
  private record Dispatch(Draft draft) implements RunEvent.Visitor<Draft> {
    @Override
    public Draft began(RunEvent.Began event) {
      if (draft.running()) { // otherwise it was stopped before it started
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
      event.event().match(new CloudEventHandler(draft));
      Watch.money(draft);
      return draft;
    }

    @Override
    public Draft engine(RunEvent.FromEngine event) {
      EngineEvent inner = event.event();
      Optional<AttemptState> attempt = draft.attempt(inner.attempt());
      if (attempt.isPresent()) {
        inner.match(new Supervisor(draft, attempt.get()));
      } else if (inner instanceof EngineEvent.Ended ended) {
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
      draft.stop(event.outcome(), "stopped by " + event.by(), event.now());
      return draft;
    }
  }
}
