package io.elastune.executor.decision;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.LeaseUse;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.WaitingProgram;
import io.elastune.executor.engine.EngineEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Handles the events of one attempt: reports, faults, failures and retries. */
final class Supervisor implements EngineEvent.Visitor {
  /** The exit code of a worker that requests a retry: not a failure, but limited in number. */
  private static final int PLEASE_RETRY = 75;

  private static final int MOST_RETRIES = 10;

  private final Transition transition;
  private final AttemptState attempt;

  Supervisor(Transition transition, AttemptState attempt) {
    this.transition = transition;
    this.attempt = attempt;
  }

  @Override
  public void reported(EngineEvent.Reported event) {
    int unit = event.unit();
    // A trial that decides after its report that it is done repeats the report.
    boolean repeated = event.done() && !attempt.done() && unit > 0 && unit == attempt.lastUnit();
    if (unit > attempt.to() || (attempt.done() && unit > attempt.lastUnit())) {
      overrun(unit);
    } else if (unit <= attempt.lastUnit() && !repeated) {
      transition.recordFault(
          attempt,
          "reported unit " + unit + " after unit " + attempt.lastUnit() + ": report ignored");
    } else {
      if (!repeated) {
        ReplanTrigger.updateSpeed(transition, attempt, unit, event.at());
        MeasurementTrials.reported(transition, attempt, unit, event.at());
      }
      transition.put(
          attempt.reported(unit, target(event), event.done(), transition.now, event.at()));
    }
  }

  private OptionalDouble target(EngineEvent.Reported event) {
    if (event.unit() != attempt.to() && !event.done()) {
      return attempt.target();
    }
    String name = transition.definition.metric().name();
    Double value = event.metrics().get(name);
    if (value == null && attempt.target().isPresent()) {
      return attempt.target(); // it repeats the report of its last unit, now as done
    }
    boolean valid = value != null && Double.isFinite(value);
    List<String> names = valid ? List.of() : event.metrics().keySet().stream().sorted().toList();
    if (!names.equals(transition.trial(attempt.trial()).reported())) {
      transition.trial(attempt.trial(), trial -> trial.withReported(names));
    }
    if (value == null) {
      transition.recordFault(
          attempt, "the report for unit " + event.unit() + " lacks the metric " + name);
      return OptionalDouble.of(Double.NaN);
    }
    return OptionalDouble.of(value);
  }

  private void overrun(int unit) {
    if (!attempt.isActive()) {
      return;
    }
    String limit = attempt.done() ? " after it was done at unit " : " beyond its limit ";
    transition.recordFault(
        attempt, "reported unit " + unit + limit + attempt.endUnit() + ": stopped");
    transition.put(
        attempt.ending(attempt.reasonOrLost(AttemptState.EndReason.OVERRUN), transition.now));
    transition.command(new Command.StopAttempt(attempt.attempt()));
  }

  @Override
  public void active(EngineEvent.Active event) {
    HangWatchdog.answered(transition, attempt, event);
  }

  @Override
  public void faulted(EngineEvent.Faulted event) {
    transition.recordFault(attempt, event.message());
  }

  @Override
  public void unreachable(EngineEvent.Unreachable event) {
    LostContact.begin(transition, attempt, event.since());
  }

  @Override
  public void reachable(EngineEvent.Reachable event) {
    LostContact.end(transition, attempt);
  }

  @Override
  public void ended(EngineEvent.Ended event) {
    LostContact.end(transition, attempt);
    transition.remove(attempt);
    freeInstances(event.startedAt(), event.at());
    transition.trial(
        attempt.trial(),
        trial -> trial.committed(event.checkpoint().orElse(0)).withDigests(event.digests()));
    switch (attempt.ending()) {
      case STOPPING -> doneOr(event, this::waitAgain);
      case DISCARDED -> stopTrial();
      case LOST, INHERITED, MOVED, RESIZED, PREEMPTED -> doneOr(event, this::requeue);
      case ADOPTED -> {
        if (event.exitCode() == 0 && attempt.target().isPresent()) {
          handleEnd(event);
        } else { // It may have ended with its controller, or its reports were lost.
          doneOr(event, this::requeue);
        }
      }
      case HUNG -> {
        if (event.at().isBefore(attempt.lastSign())) { // it ended before the request
          handleEnd(event);
        } else if (event.lost()) {
          lost(event);
        } else {
          String message = "stopped as hung after unit " + attempt.lastUnit();
          doneOr(event, () -> failed(message, true));
        }
      }
      case OVERRUN -> handleEnd(event.withExitCode(0));
      case NOT -> handleEnd(event);
    }
  }

  /** Handles an attempt that lost an instance: the cloud is queried for all of them. */
  private void lost(EngineEvent.Ended event) {
    doneOr(event, this::requeue);
    attempt.places().stream()
        .map(GpuSlot::lease)
        .distinct()
        .flatMap(lease -> transition.lease(lease).stream())
        .filter(LeaseState::isReady)
        .forEach(
            lease -> {
              transition.put(lease.inherited());
              transition.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
            });
  }

  /**
   * Ends an attempt whose instances are all terminated, although the engine has not reported its
   * end.
   */
  static void assumeEnded(Transition transition, AttemptState attempt) {
    Supervisor supervisor = new Supervisor(transition, attempt);
    transition.remove(attempt);
    supervisor.freeInstances(Optional.empty(), transition.now);
    transition.recordFault(attempt, "its instances are terminated, and its end was never reported");
    if (attempt.ending() == AttemptState.EndReason.DISCARDED) {
      supervisor.stopTrial();
    } else if (transition.running()) {
      supervisor.requeue();
    } else {
      supervisor.waitAgain();
    }
  }

  /**
   * Handles a late or repeated end of an attempt: it may report a newer checkpoint of its trial.
   */
  static void handleLateEnd(Transition transition, EngineEvent.Ended event) {
    int number = AttemptState.trialOf(event.attempt());
    TrialState trial = transition.trials().get(number);
    if (trial != null && trial.isLastEnded(event.attempt())) {
      transition.trial(
          number,
          state -> state.committed(event.checkpoint().orElse(0)).withDigests(event.digests()));
    }
  }

  /** An attempt that the controller ended still counts if it was complete. */
  private void doneOr(EngineEvent.Ended event, Runnable otherwise) {
    boolean reported = attempt.target().isPresent() && !transition.definition.isResumable();
    if (reported || attempt.isComplete(event.checkpoint().orElse(0))) {
      done(event);
    } else {
      otherwise.run();
    }
  }

  private void handleEnd(EngineEvent.Ended event) {
    boolean reached = attempt.target().isPresent();
    if (event.lost()) {
      lost(event);
    } else if (event.exitCode() == PLEASE_RETRY) {
      retry();
    } else if (event.exitCode() != 0 && isOfNoUse(event)) {
      transition.recordFault(
          attempt,
          event.message()
              + "; it continues from unit "
              + event.checkpoint().orElse(0)
              + " instead");
      if (event.checkpoint().orElse(0) < attempt.from()) {
        transition.trial(
            attempt.trial(), t -> t.withoutParentCheckpoint(event.checkpoint().orElse(0)));
      }
      requeue();
    } else if (event.exitCode() != 0) {
      failed(event.message());
    } else if (!reached) {
      String found = event.message().isEmpty() ? "" : "; " + event.message();
      failed("exited 0 without the report for unit " + attempt.to() + found);
    } else if (event.torn()) {
      failed(
          "left a torn checkpoint; the newest complete one is unit "
              + event.checkpoint().orElse(0));
    } else {
      done(event);
    }
  }

  /**
   * Whether the checkpoint from which it should have resumed is no longer complete, or was removed
   * in favor of newer ones by an attempt whose end was never reported. Then the trial has not
   * failed, and the newest complete checkpoint is tried. This ends, because each time fewer
   * checkpoints are left, or the trial is closer to its target.
   */
  private boolean isOfNoUse(EngineEvent.Ended event) {
    int newest = event.checkpoint().orElse(0);
    return newest != attempt.from() && newest < attempt.to() && !attempt.hasReported();
  }

  private void done(EngineEvent.Ended event) {
    boolean early = attempt.done() && attempt.endUnit() < lastUnit(attempt);
    boolean resumable = transition.definition.isResumable();
    if (resumable && !attempt.done() && event.checkpoint().orElse(0) < attempt.to()) {
      transition.recordFault(
          attempt,
          "saved no checkpoint for unit "
              + attempt.to()
              + "; if promoted, it restarts from unit "
              + event.checkpoint().orElse(0));
    }
    double value = attempt.target().orElse(Double.NaN);
    transition.trial(
        attempt.trial(),
        trial ->
            trial.reached(
                attempt.to(),
                value,
                early ? OptionalInt.of(attempt.endUnit()) : OptionalInt.empty()));
    if (WaitingPrograms.waitsAfter(transition.definition, attempt)) {
      WaitingProgram program = new WaitingProgram(transition.now, attempt.trialsPerGpu());
      transition.trial(attempt.trial(), trial -> trial.waiting(program));
    }
    if (early) {
      transition.recordDecision(
          DecisionKind.EARLY_END,
          DecisionReason.of(
              ReasonCode.TRIAL_ENDED_EARLY,
              Integer.toString(attempt.trial()),
              Integer.toString(attempt.endUnit())),
          Map.of("unit", (double) attempt.endUnit()));
    }
    MeasurementTrials.reached(transition, attempt);
    boolean isTrained = attempt.done() || attempt.to() >= lastUnit(attempt);
    if (isTrained && transition.definition.patience().isPresent()) {
      ReplanState steering = transition.steering();
      transition.steering(steering.with(steering.plateau().trained(attempt.trial())));
    }
    if (transition.running()
        && !attempt.done()
        && MeasurementTrials.isContinued(transition, transition.trial(attempt.trial()))) {
      requeue();
    }
  }

  private void retry() {
    TrialState trial = transition.trial(attempt.trial());
    if (trial.retries() >= MOST_RETRIES) {
      failed("requested a retry more than " + MOST_RETRIES + " times");
      return;
    }
    transition.trial(attempt.trial(), TrialState::retried);
    requeue();
  }

  private void failed(String message) {
    failed(message, false);
  }

  private void failed(String message, boolean hanging) {
    transition.recordFault(attempt, message);
    transition.trial(attempt.trial(), trial -> trial.failed(hanging));
    TrialState trial = transition.trial(attempt.trial());
    FailureCause cause = FailureCause.of(message);
    boolean isExhausted =
        transition.definition.failures().isPresent()
            && attempt.trialsPerGpu() == 1
            && cause.exhaustsMemory();
    if (isExhausted) {
      transition.trial(attempt.trial(), TrialState::exhausted);
    }
    if (isExhausted || trial.failures() > transition.definition.maxFailures()) {
      transition.trial(attempt.trial(), state -> state.as(TrialState.Status.FAILED));
      String attempts = trial.failures() == 1 ? " failed attempt" : " failed attempts";
      transition.recordFault(
          attempt,
          "dropped after "
              + trial.failures()
              + attempts
              + (isExhausted
                  ? ": its configuration needs more memory than the GPU or machine has"
                  : ""));
      FailedTrials.stopIfTooMany(transition);
    } else {
      requeue();
    }
    FailureWatch.failed(transition, attempt, cause);
  }

  private void requeue() {
    waitAgain();
    ChainState chain = transition.chain(attempt.chain());
    List<Integer> waiting = new ArrayList<>(chain.waiting());
    waiting.add(attempt.trial());
    Collections.sort(waiting);
    transition.chain(attempt.chain(), chain.withWaiting(waiting));
  }

  private void waitAgain() {
    transition.trial(attempt.trial(), trial -> trial.as(TrialState.Status.WAITING));
  }

  private void stopTrial() {
    if (transition.trial(attempt.trial()).status() != TrialState.Status.COMPLETED) {
      transition.trial(attempt.trial(), trial -> trial.as(TrialState.Status.STOPPED));
    }
  }

  /**
   * Ends the use of its instances.
   *
   * @param start when it began to use them, by the clock of {@code end}; empty if unknown
   */
  private void freeInstances(Optional<Instant> start, Instant end) {
    attempt.places().stream()
        .map(GpuSlot::lease)
        .distinct()
        .flatMap(lease -> transition.lease(lease).stream())
        .forEach(
            lease -> {
              LeaseUse use = lease.use().ended(start, end);
              boolean isOccupied = transition.occupied(lease.lease());
              transition.put(lease.with(isOccupied ? use : use.idle(transition.now)));
            });
  }

  /** Ends the attempts on an instance that is gone; their trials continue on other instances. */
  static void endAttemptsOn(Transition transition, String lease) {
    for (AttemptState attempt : transition.attempts()) {
      if (attempt.uses(lease) && attempt.ending() != AttemptState.EndReason.INHERITED) {
        transition.put(attempt.ending(AttemptState.EndReason.LOST, transition.now));
        transition.command(new Command.KillAttempt(attempt.attempt()));
      }
    }
  }

  /** Returns the units after which the trial of an attempt is trained to the end of its chain. */
  private int lastUnit(AttemptState attempt) {
    int last = attempt.to();
    if (transition.definition.workload().rungs().isPresent()) {
      RungRule rule = transition.definition.workload().rungs().get();
      return rule.target(rule.lastRung());
    }
    for (TrialGroup group : transition.chainDefinition(attempt.chain()).groups()) {
      if (group.fromUnit() == last) {
        last = group.toUnit();
      }
    }
    return last;
  }
}
