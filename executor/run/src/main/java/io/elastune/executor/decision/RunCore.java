package io.elastune.executor.decision;

import io.elastune.executor.decision.forecast.SampledForecast;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
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
  public StepResult replay(RunState state, RunEvent event, Instant now) {
    return step(state.withStart().at(now), event);
  }

  /**
   * Returns the step after {@code event} in {@code state}. A finished run ignores every event
   * except its resumption.
   */
  public StepResult step(RunState state, RunEvent event) {
    if (state.phase() == RunState.Phase.FINISHED && !(event instanceof RunEvent.Resumed)) {
      return new StepResult(state, List.of(), List.of());
    }
    Transition transition = new Transition(definition, state, event);
    Shutdown.detectClockJump(transition);
    event.match(new Dispatch(transition));
    RetryTimer.tick(transition);
    CapacityRetry.tick(transition);
    if (transition.moved()) {
      Recovery.advance(transition);
      PreemptionNotice.advance(transition);
      Schedulers.advance(transition);
      TrialMigration.advance(transition);
      Shutdown.advance(transition);
      if (transition.running()) {
        ReplanState steering = transition.steering();
        transition.steering(
            steering.with(SampledForecast.excess(definition, transition.snapshot())));
      }
    }
    Recovery.noteAnswers(transition);
    ReplanTrigger.checkForecast(transition, event instanceof RunEvent.Ticked);
    StartingNodes.noteLimits(transition);
    return transition.toStepResult();
  }

  /** Dispatches each event to the part that handles it. */
  private record Dispatch(Transition transition) implements RunEvent.Visitor {
    @Override
    public void began(RunEvent.Began event) {
      if (transition.running()) { // otherwise it was stopped before it started
        SearchStart.begin(transition);
      }
    }

    @Override
    public void resumed(RunEvent.Resumed event) {
      Recovery.resume(transition, event);
      PlateauWatch.resumed(transition);
    }

    @Override
    public void ticked(RunEvent.Ticked event) {
      if (event.suspendedS().isPresent()) {
        Suspension.note(transition, event.suspendedS().getAsDouble());
        return; // what has waited decides first whether a limit is exceeded
      }
      LimitWatchdog.tick(transition);
      PlateauWatch.check(transition);
      if (transition.definition.hyperSched().isPresent()) {
        HyperSchedScheduler.tick(transition);
      }
      if (RungPool.handles(transition)) {
        RungScheduler.tick(transition);
      }
      Shutdown.tick(transition);
    }

    @Override
    public void cloud(RunEvent.FromCloud event) {
      event.event().match(new CloudEventHandler(transition));
      LimitWatchdog.checkBudget(transition);
    }

    @Override
    public void engine(RunEvent.FromEngine event) {
      Recovery.answered(transition, event.event().attempt());
      Optional<AttemptState> attempt = transition.attempt(event.event().attempt());
      EngineEvent inner =
          attempt
              .map(found -> BestMetric.of(transition, found, event.event()))
              .orElseGet(event::event);
      if (attempt.isPresent()) {
        inner.match(new Supervisor(transition, attempt.get()));
        if (inner instanceof EngineEvent.Reported reported && RungPool.handles(transition)) {
          RungScheduler.reported(transition, attempt.get(), reported);
        }
        if (inner instanceof EngineEvent.Reported reported && FluidScheduler.handles(transition)) {
          FluidScheduler.reported(transition, attempt.get(), reported);
        }
        if (inner instanceof EngineEvent.Reported reported && HermesScheduler.handles(transition)) {
          HermesScheduler.reported(transition, attempt.get(), reported);
        }
        if (inner instanceof EngineEvent.Reported reported
            && transition.definition.hyperSched().isPresent()) {
          HyperSchedScheduler.reported(transition, attempt.get(), reported);
        }
        if (inner instanceof EngineEvent.Reported reported) {
          TargetMetric.reported(transition, attempt.get(), reported);
          PlateauWatch.reported(transition, attempt.get(), reported);
        }
        PlateauWatch.check(transition);
      } else if (inner instanceof EngineEvent.Ended ended) {
        Supervisor.handleLateEnd(transition, ended);
      }
    }

    @Override
    public void replanned(RunEvent.Replanned event) {
      ReplanPolicy.applyAnswer(transition, event);
    }

    @Override
    public void budgetAnswered(RunEvent.BudgetAnswered event) {
      BudgetAnswer.apply(transition, event);
    }

    @Override
    public void configured(RunEvent.Configured event) {
      Proposals.applyAnswer(transition, event);
    }

    @Override
    public void measurementChosen(RunEvent.MeasurementChosen event) {
      Scheduler.startMeasurement(transition, event);
    }

    @Override
    public void stopAsked(RunEvent.StopAsked event) {
      transition.stop(
          event.outcome(), DecisionReason.of(ReasonCode.STOPPED_BY, event.by()), event.now());
    }
  }
}
