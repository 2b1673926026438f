package io.elastune.executor.core;

import io.elastune.executor.engine.EngineEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/** Handles the events of one attempt: reports, faults, failures and retries. */
final class Supervisor implements EngineEvent.Visitor<Draft> {
  /** The exit code of a worker that requests a retry: not a failure, but limited in number. */
  private static final int PLEASE_RETRY = 75;

  private static final int MOST_RETRIES = 10;

  private final Draft draft;
  private final AttemptState attempt;

  Supervisor(Draft draft, AttemptState attempt) {
    this.draft = draft;
    this.attempt = attempt;
  }

  @Override
  public Draft reported(EngineEvent.Reported event) {
    int unit = event.unit();
    if (unit > attempt.to()) {
      overrun(unit);
    } else if (unit <= attempt.lastUnit()) {
      draft.fault(
          attempt,
          "reported unit " + unit + " after unit " + attempt.lastUnit() + ": report ignored");
    } else {
      Replanning.reported(draft, attempt, unit, event.at());
      draft.put(attempt.reported(unit, target(event), draft.now, event.at()));
    }
    return draft;
  }

  private OptionalDouble target(EngineEvent.Reported event) {
    if (event.unit() != attempt.to()) {
      return attempt.target();
    }
    String name = draft.definition.metric().name();
    Double value = event.metrics().get(name);
    if (value == null) {
      draft.fault(attempt, "the report for unit " + event.unit() + " lacks the metric " + name);
      return OptionalDouble.of(Double.NaN);
    }
    return OptionalDouble.of(value);
  }

  private void overrun(int unit) {
    if (!attempt.goesOn()) {
      return;
    }
    draft.fault(
        attempt, "reported unit " + unit + " beyond its limit " + attempt.to() + ": stopped");
    draft.put(attempt.ending(attempt.orLost(AttemptState.Ending.OVERRUN), draft.now));
    draft.command(new Command.StopAttempt(attempt.attempt()));
  }

  @Override
  public Draft faulted(EngineEvent.Faulted event) {
    draft.fault(attempt, event.message());
    return draft;
  }

  @Override
  public Draft ended(EngineEvent.Ended event) {
    draft.remove(attempt);
    freeInstances();
    draft.trial(attempt.trial(), trial -> trial.committed(event.checkpoint().orElse(0)));
    switch (attempt.ending()) {
      case STOPPING -> doneOr(event, this::waitAgain);
      case LOST, INHERITED, MOVED -> doneOr(event, this::requeue);
      case ADOPTED -> {
        if (event.exitCode() == 0 && attempt.target().isPresent()) {
          judge(event);
        } else { // It may have ended with its controller, or its reports were lost.
          doneOr(event, this::requeue);
        }
      }
      case HUNG -> {
        if (event.at().isBefore(attempt.lastSign())) { // it ended before the request
          judge(event);
        } else if (event.lost()) {
          lost();
        } else {
          String message = "no report for too long; last: unit " + attempt.lastUnit();
          doneOr(event, () -> failed(message, true));
        }
      }
      case OVERRUN -> judge(event.withExitCode(0));
      case NOT -> judge(event);
    }
    return draft;
  }

  /** Handles an attempt that lost an instance: the cloud is queried for all of them. */
  private void lost() {
    requeue();
    attempt.places().stream()
        .map(Place::lease)
        .distinct()
        .flatMap(lease -> draft.lease(lease).stream())
        .filter(LeaseState::isReady)
        .forEach(
            lease -> {
              draft.put(lease.inherited());
              draft.command(new Command.AdoptInstance(lease.lease(), lease.offer()));
            });
  }

  /**
   * Ends an attempt whose instances are all terminated, although the engine has not reported its
   * end.
   */
  static void takeForEnded(Draft draft, AttemptState attempt) {
    Supervisor supervisor = new Supervisor(draft, attempt);
    draft.remove(attempt);
    draft.fault(attempt, "its instances are terminated, and its end was never reported");
    if (draft.running()) {
      supervisor.requeue();
    } else {
      supervisor.waitAgain();
    }
  }

  /**
   * Handles a late or repeated end of an attempt: it may report a newer checkpoint of its trial.
   */
  static void endedBelated(Draft draft, EngineEvent.Ended event) {
    int number = AttemptState.trialOf(event.attempt());
    TrialState trial = draft.trials().get(number);
    if (trial != null && trial.isLastEnded(event.attempt())) {
      draft.trial(number, state -> state.committed(event.checkpoint().orElse(0)));
    }
  }

  /** An attempt that the controller ended still counts if it was complete. */
  private void doneOr(EngineEvent.Ended event, Runnable otherwise) {
    if (attempt.isComplete(event.checkpoint().orElse(0))) {
      done(event);
    } else {
      otherwise.run();
    }
  }

  private void judge(EngineEvent.Ended event) {
    boolean reached = attempt.target().isPresent();
    if (event.lost()) {
      lost();
    } else if (event.exitCode() == PLEASE_RETRY) {
      retry();
    } else if (event.exitCode() != 0 && isOfNoUse(event)) {
      draft.fault(
          attempt,
          event.message()
              + "; it continues from unit "
              + event.checkpoint().orElse(0)
              + " instead");
      requeue();
    } else if (event.exitCode() != 0) {
      failed(event.message());
    } else if (!reached) {
      failed("exited 0 without the report for unit " + attempt.to());
    } else if (event.torn()) {
      failed(
          "left a torn checkpoint; the newest complete one is unit "
              + event.checkpoint().orElse(0));
    } else {
      done(event);
    }
  }

  /**
   * Whether the checkpoint from which it should have resumed is no longer complete. Then the trial
   * has not failed, and the checkpoint before is tried. This ends, because each time one checkpoint
   * fewer is left.
   */
  private boolean isOfNoUse(EngineEvent.Ended event) {
    return event.checkpoint().orElse(0) < attempt.from() && attempt.lastUnit() == attempt.from();
  }

  private void done(EngineEvent.Ended event) {
    if (event.checkpoint().orElse(0) < attempt.to()) {
      draft.fault(
          attempt,
          "no checkpoint for unit "
              + attempt.to()
              + "; if it continues, it starts from unit "
              + event.checkpoint().orElse(0));
    }
    double value = attempt.target().orElse(Double.NaN);
    draft.trial(attempt.trial(), trial -> trial.reached(attempt.to(), value));
  }

  private void retry() {
    TrialState trial = draft.trial(attempt.trial());
    if (trial.retries() >= MOST_RETRIES) {
      failed("requested a retry more than " + MOST_RETRIES + " times");
      return;
    }
    draft.trial(attempt.trial(), TrialState::retried);
    requeue();
  }

  private void failed(String message) {
    failed(message, false);
  }

  private void failed(String message, boolean hanging) {
    draft.fault(attempt, message);
    draft.trial(attempt.trial(), trial -> trial.failed(hanging));
    TrialState trial = draft.trial(attempt.trial());
    if (trial.failures() > draft.definition.maxFailures()) {
      draft.trial(attempt.trial(), state -> state.as(TrialState.Status.FAILED));
      draft.fault(attempt, "dropped after " + trial.failures() + " failed attempts");
    } else {
      requeue();
    }
  }

  private void requeue() {
    waitAgain();
    ChainState chain = draft.chain(attempt.chain());
    List<Integer> waiting = new ArrayList<>(chain.waiting());
    waiting.add(attempt.trial());
    Collections.sort(waiting);
    draft.chain(attempt.chain(), chain.withWaiting(waiting));
  }

  private void waitAgain() {
    draft.trial(attempt.trial(), trial -> trial.as(TrialState.Status.WAITING));
  }

  private void freeInstances() {
    attempt.places().stream()
        .map(Place::lease)
        .distinct()
        .filter(lease -> !draft.occupied(lease))
        .flatMap(lease -> draft.lease(lease).stream())
        .forEach(lease -> draft.put(lease.idle(draft.now)));
  }

  /** Ends the attempts on an instance that is gone; their trials continue on other instances. */
  static void loseAttemptsOn(Draft draft, String lease) {
    for (AttemptState attempt : draft.attempts()) {
      if (attempt.uses(lease) && attempt.ending() != AttemptState.Ending.INHERITED) {
        draft.put(attempt.ending(AttemptState.Ending.LOST, draft.now));
        draft.command(new Command.KillAttempt(attempt.attempt()));
      }
    }
  }
}
