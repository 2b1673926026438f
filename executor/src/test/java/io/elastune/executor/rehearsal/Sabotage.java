package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.ShutdownState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/** Deliberate defects of the decision core, made by changing its events, commands or state. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum Sabotage {
  TERMINATE_FORGOTTEN(
      d ->
          after(
              d,
              (before, stepResult) ->
                  Tampering.withoutLeases(
                      stepResult, lease -> lease.number() % 3 == 0 && isReleased(lease)))),
  ID_FORGOTTEN_BEFORE_TERMINATED(
      d ->
          after(d, (before, stepResult) -> Tampering.forgetting(stepResult, Sabotage::isReleased))),
  LOST_CONTACT_TAKEN_FOR_TERMINATED(
      d -> {
        Decider core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          return cloud(event) instanceof CloudEvent.Lost lost
              ? Tampering.withoutLeases(stepResult, lease -> lease.lease().equals(lost.lease()))
              : stepResult;
        };
      }),
  RELEASE_ASKED_ONLY_ONCE(
      d -> {
        Decider core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          return Tampering.keeping(
              stepResult,
              command ->
                  !(command instanceof Command.ReleaseInstance release)
                      || Tampering.find(state, release.lease())
                          .filter(Sabotage::isReleased)
                          .isEmpty());
        };
      }),
  NO_ANSWER_TAKEN_FOR_REFUSED(
      d -> after(d, (before, stepResult) -> Tampering.requestingAnew(stepResult))),
  END_NOT_ASKED_OF_THE_CLOUD(
      d -> {
        Decider core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          if (stepResult.state().phase() != RunState.Phase.RELEASING) {
            return stepResult;
          }
          RunState forgotten = Tampering.forgetting(stepResult, lease -> true).state();
          StepResult last = core.step(forgotten, new RunEvent.Ticked(forgotten.now()));
          StepResult listed =
              core.step(
                  new RunState(
                      RunState.Phase.VERIFYING,
                      last.state().began(),
                      last.state().now(),
                      last.state().ending(),
                      last.state().chains(),
                      last.state().trials(),
                      last.state().attempts(),
                      last.state().leases(),
                      last.state().steering()),
                  new RunEvent.FromCloud(
                      new CloudEvent.Listed(d.run(), List.of(), forgotten.now())));
          return new StepResult(listed.state(), stepResult.commands(), stepResult.notes());
        };
      }),
  TRAINED_FROM_SCRATCH(
      d ->
          after(
              d,
              (before, stepResult) ->
                  Tampering.mapped(
                      stepResult,
                      command ->
                          command instanceof Command.StartAttempt start
                              ? new Command.StartAttempt(
                                  start.attempt(),
                                  start.trial(),
                                  start.group(),
                                  0,
                                  start.to(),
                                  start.places())
                              : command))),
  DONE_BEFORE_ITS_END(
      d -> {
        Decider core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          return engine(event) instanceof EngineEvent.Reported reported
                  && isAtItsEnd(state, reported)
              ? then(core, stepResult, ended(reported.attempt(), reported.unit(), false, event))
              : stepResult;
        };
      }),
  FAILURE_COUNTED_TWICE(
      d -> {
        Decider core = core(d);
        return (state, event) -> {
          RunState counted =
              engine(event) instanceof EngineEvent.Ended ended && ended.exitCode() == 1
                  ? Tampering.countingAgain(state, ended.attempt())
                  : state;
          return core.step(counted, event);
        };
      }),
  DROPPED_AT_ITS_FIRST_FAILURE(d -> core(Tampering.withMaxFailures(d, 0))),
  /** The dead-man timers do not check the budget either. */
  BUDGET_NOT_WATCHED(
      d -> {
        Decider core = core(d.withLimits(d.budget(), OptionalDouble.empty(), d.deadlineS()));
        return (state, event) -> core.step(Tampering.spendingFreely(state), event);
      }),
  JOURNAL_BELIEVED_WITHOUT_ASKING(
      d -> {
        Decider core = core(d);
        return (state, event) ->
            event instanceof RunEvent.Resumed
                ? new StepResult(state, List.of(), List.of())
                : core.step(state, event);
      }),
  ATTEMPTS_STARTED_ANEW_WITHOUT_ASKING(
      d -> {
        Decider core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          if (event instanceof RunEvent.Resumed) {
            for (AttemptState attempt : state.attempts().values()) {
              stepResult =
                  then(core, stepResult, ended(attempt.attempt(), attempt.from(), true, event));
            }
          }
          return stepResult;
        };
      }),
  DEADLINE_MISSED_AND_NOT_SAID(
      d ->
          after(
              d,
              (before, stepResult) ->
                  stepResult.state().ending().exitCode() == 13
                      ? Tampering.ending(stepResult, ShutdownState.NONE)
                      : stepResult));

  /** Creates a decision core with the defect. */
  interface Mistake {
    Decider in(RunDefinition definition);
  }

  private final Mistake mistake;

  Sabotage(Mistake mistake) {
    this.mistake = mistake;
  }

  Decider in(RunDefinition definition) {
    return mistake.in(definition);
  }

  private static Decider core(RunDefinition definition) {
    return new RunCore(definition)::step;
  }

  private static Decider after(
      RunDefinition definition, BiFunction<RunState, StepResult, StepResult> change) {
    Decider core = core(definition);
    return (state, event) -> change.apply(state, core.step(state, event));
  }

  private static StepResult then(Decider core, StepResult stepResult, RunEvent event) {
    StepResult next = core.step(stepResult.state(), event);
    List<Command> commands = new ArrayList<>(stepResult.commands());
    commands.addAll(next.commands());
    return new StepResult(next.state(), commands, stepResult.notes());
  }

  private static RunEvent ended(String attempt, int checkpoint, boolean lost, RunEvent event) {
    return new RunEvent.FromEngine(
        new EngineEvent.Ended(
            attempt, lost ? 137 : 0, OptionalInt.of(checkpoint), false, "", event.at(), lost));
  }

  private static CloudEvent cloud(RunEvent event) {
    return event instanceof RunEvent.FromCloud cloud
        ? cloud.event()
        : new CloudEvent.Listed("", List.of(), event.at());
  }

  private static EngineEvent engine(RunEvent event) {
    return event instanceof RunEvent.FromEngine engine
        ? engine.event()
        : new EngineEvent.Faulted("", "", event.at());
  }

  private static boolean isAtItsEnd(RunState state, EngineEvent.Reported reported) {
    AttemptState attempt = state.attempts().get(reported.attempt());
    return attempt != null && reported.unit() == attempt.to();
  }

  private static boolean isReleased(LeaseState lease) {
    return lease.phase() == LeaseState.Phase.RELEASING;
  }
}
