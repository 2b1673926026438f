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
enum CoreDefect {
  TERMINATION_OMITTED(
      d ->
          after(
              d,
              (before, stepResult) ->
                  StepModifications.dropLeasesAndReleases(
                      stepResult, lease -> lease.number() % 3 == 0 && isReleased(lease)))),
  ID_DROPPED_BEFORE_TERMINATED(
      d ->
          after(
              d,
              (before, stepResult) ->
                  StepModifications.dropLeases(stepResult, CoreDefect::isReleased))),
  LOST_CONTACT_TREATED_AS_TERMINATED(
      d -> {
        DecisionFunction core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          return cloud(event) instanceof CloudEvent.Lost lost
              ? StepModifications.dropLeasesAndReleases(
                  stepResult, lease -> lease.lease().equals(lost.lease()))
              : stepResult;
        };
      }),
  RELEASE_REQUESTED_ONCE(
      d -> {
        DecisionFunction core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          return StepModifications.filterCommands(
              stepResult,
              command ->
                  !(command instanceof Command.ReleaseInstance release)
                      || StepModifications.find(state, release.lease())
                          .filter(CoreDefect::isReleased)
                          .isEmpty());
        };
      }),
  TIMEOUT_TREATED_AS_REFUSED(
      d -> after(d, (before, stepResult) -> StepModifications.requestAgain(stepResult))),
  FINISHED_WITHOUT_LISTING(
      d -> {
        DecisionFunction core = core(d);
        return (state, event) -> {
          StepResult stepResult = core.step(state, event);
          if (stepResult.state().phase() != RunState.Phase.RELEASING) {
            return stepResult;
          }
          RunState forgotten = StepModifications.dropLeases(stepResult, lease -> true).state();
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
                      last.state().steering(),
                      last.state().clock()),
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
                  StepModifications.mapCommands(
                      stepResult,
                      command ->
                          command instanceof Command.StartAttempt start
                              ? new Command.StartAttempt(
                                  start.attempt(),
                                  start.trial(),
                                  start.group(),
                                  0,
                                  start.to(),
                                  start.places(),
                                  start.links(),
                                  start.checkpointEvery(),
                                  start.trialsPerGpu())
                              : command))),
  COMPLETED_EARLY(
      d -> {
        DecisionFunction core = core(d);
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
        DecisionFunction core = core(d);
        return (state, event) -> {
          RunState counted =
              engine(event) instanceof EngineEvent.Ended ended && ended.exitCode() == 1
                  ? StepModifications.countFailureAgain(state, ended.attempt())
                  : state;
          return core.step(counted, event);
        };
      }),
  DROPPED_AT_FIRST_FAILURE(d -> core(StepModifications.withMaxFailures(d, 0))),
  /** The dead-man timers do not check the budget either. */
  BUDGET_NOT_CHECKED(
      d -> {
        DecisionFunction core =
            core(d.withLimits(d.budget(), OptionalDouble.empty(), d.deadlineS()));
        return (state, event) -> core.step(StepModifications.withHugeBudget(state), event);
      }),
  RESUMED_WITHOUT_LISTING(
      d -> {
        DecisionFunction core = core(d);
        return (state, event) ->
            event instanceof RunEvent.Resumed
                ? new StepResult(state, List.of(), List.of())
                : core.step(state, event);
      }),
  ATTEMPTS_RESTARTED_WITHOUT_ADOPTION(
      d -> {
        DecisionFunction core = core(d);
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
  DEADLINE_MISS_NOT_REPORTED(
      d ->
          after(
              d,
              (before, stepResult) ->
                  stepResult.state().ending().exitCode() == 13
                      ? StepModifications.withEnding(stepResult, ShutdownState.NONE)
                      : stepResult));

  /** Creates a decision core with the defect. */
  interface Defect {
    DecisionFunction apply(RunDefinition definition);
  }

  private final Defect defect;

  CoreDefect(Defect defect) {
    this.defect = defect;
  }

  DecisionFunction apply(RunDefinition definition) {
    return defect.apply(definition);
  }

  private static DecisionFunction core(RunDefinition definition) {
    return new RunCore(definition)::step;
  }

  private static DecisionFunction after(
      RunDefinition definition, BiFunction<RunState, StepResult, StepResult> change) {
    DecisionFunction core = core(definition);
    return (state, event) -> change.apply(state, core.step(state, event));
  }

  private static StepResult then(DecisionFunction core, StepResult stepResult, RunEvent event) {
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
