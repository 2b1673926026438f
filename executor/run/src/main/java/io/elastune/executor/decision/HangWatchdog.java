package io.elastune.executor.decision;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.engine.EngineEvent;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Stops attempts that hang. Output and CPU activity are known to the engine only, so it is asked
 * when an attempt has not reported for its time limit; its answer is an event. The questions are
 * rare, which keeps the journal small. While the engine has no contact to the nodes of an attempt,
 * its time does not count.
 */
final class HangWatchdog {
  /** Seconds until a check without an answer is repeated. */
  private static final double ANSWER_S = 30;

  /** Checks without an answer after which an attempt counts as hung. */
  private static final int CHECKS = 3;

  private final Transition transition;
  private final AttemptState attempt;

  private HangWatchdog(Transition transition, AttemptState attempt) {
    this.transition = transition;
    this.attempt = attempt;
  }

  static void tick(Transition transition) {
    RunState state = transition.snapshot();
    for (AttemptState attempt : transition.attempts()) {
      HangWatchdog watchdog = new HangWatchdog(transition, attempt);
      if (attempt.isUnreachable()) {
        continue; // nothing is known about it
      }
      if (attempt.isActive()) {
        state.hangTimes(transition.definition, attempt).ifPresent(watchdog::check);
      } else if (attempt.ending() == AttemptState.EndReason.HUNG) {
        watchdog.killIfDue();
      }
    }
  }

  /** Returns the seconds until the next decision about {@code attempt}; may be too small. */
  static double nextS(RunDefinition definition, RunState state, AttemptState attempt) {
    if (attempt.isUnreachable()) {
      return Double.POSITIVE_INFINITY;
    }
    if (attempt.ending() == AttemptState.EndReason.HUNG) {
      double left = definition.graceS() - Seconds.between(attempt.lastSign(), state.now());
      return left > 0 ? left : Double.POSITIVE_INFINITY;
    }
    Optional<HangLimit.Times> times = state.hangTimes(definition, attempt);
    if (!attempt.isActive() || times.isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    Instant checkedAt = attempt.life().checkedAt();
    double check =
        attempt.life().unanswered() == 0
            ? times.get().silenceS() - Seconds.between(attempt.life().last(), state.now())
            : ANSWER_S - Seconds.between(checkedAt, state.now());
    double report = times.get().reportS() - Seconds.between(attempt.lastSign(), state.now());
    return Math.min(check, report);
  }

  private void check(HangLimit.Times times) {
    double unreported = Seconds.between(attempt.lastSign(), transition.now);
    double silence = silenceS(attempt);
    boolean waiting =
        attempt.life().unanswered() > 0
            && Seconds.between(attempt.life().checkedAt(), transition.now) < ANSWER_S;
    if (unreported > times.reportS()) {
      end(ReasonCode.TRIAL_WITHOUT_REPORT, unreported, times.reportS());
    } else if (silence > times.silenceS() && !waiting) {
      if (attempt.life().unanswered() >= CHECKS) {
        end(ReasonCode.TRIAL_SILENT, silence, times.silenceS());
      } else {
        transition.put(attempt.checked(transition.now));
        transition.command(new Command.CheckAttempt(attempt.attempt()));
      }
    }
  }

  /** Handles the engine's answer to a check. */
  static void answered(Transition transition, AttemptState attempt, EngineEvent.Active event) {
    if (!attempt.isActive() || attempt.isUnreachable()) {
      return;
    }
    AttemptState alive = attempt.alive(Seconds.after(transition.now, -event.silenceS()));
    transition.put(alive);
    HangWatchdog watchdog = new HangWatchdog(transition, alive);
    double silence = watchdog.silenceS(alive);
    transition
        .snapshot()
        .hangTimes(transition.definition, alive)
        .filter(times -> silence > times.silenceS())
        .ifPresent(times -> watchdog.end(ReasonCode.TRIAL_SILENT, silence, times.silenceS()));
  }

  private double silenceS(AttemptState of) {
    return Seconds.between(of.life().last(), transition.now);
  }

  private void end(ReasonCode why, double silenceS, double mostS) {
    transition.put(
        attempt.ending(attempt.reasonOrLost(AttemptState.EndReason.HUNG), transition.now));
    transition.command(new Command.StopAttempt(attempt.attempt()));
    transition.recordDecision(
        DecisionKind.WATCHDOG,
        DecisionReason.of(why, Integer.toString(attempt.trial())),
        Map.of("silence_s", silenceS, "most_s", mostS));
  }

  /** A hung trial seldom handles a stop request, so it gets the measured time of a checkpoint. */
  private void killIfDue() {
    double graceS = transition.definition.graceS();
    boolean due =
        Seconds.between(attempt.lastSign(), transition.now) >= graceS
            && Seconds.between(attempt.lastSign(), transition.previousTime) < graceS;
    if (due) {
      transition.command(new Command.KillAttempt(attempt.attempt()));
    }
  }
}
