package io.elastune.executor.decision;

import io.elastune.core.policy.PolicyView;
import io.elastune.core.search.TrialResult;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.engine.EngineEvent;
import java.util.OptionalDouble;

/** Keeps the reports of trials, with the seconds of training, for policies that compare them. */
final class TrialReports {
  private TrialReports() {}

  /**
   * Adds a report to those of its trial. A unit that was trained before, by an attempt whose
   * checkpoint is lost, does not count again.
   *
   * @param before the attempt before the report
   * @param startupS mean seconds until the first unit of an attempt starts
   * @param unitS mean seconds per unit of the attempt
   * @param shownUnitS seconds per unit that the first report of an attempt stands for; if empty, it
   *     shows the time of its units as far as start-ups do not vary
   */
  static void record(
      Transition transition,
      AttemptState before,
      EngineEvent.Reported event,
      double startupS,
      double unitS,
      OptionalDouble shownUnitS) {
    PolicyView.Report last = transition.trial(before.trial()).lastReport();
    boolean isNew = event.unit() > Math.max(last.unit(), before.lastUnit());
    if (!isNew || event.unit() > before.to()) {
      return;
    }
    int units = event.unit() - before.lastUnit();
    double seconds =
        isFirst(before) && shownUnitS.isPresent()
            ? units * shownUnitS.getAsDouble()
            : trainedS(transition, before, event, startupS, units * unitS);
    double share = (double) (event.unit() - Math.max(last.unit(), before.lastUnit())) / units;
    Double metric = event.metrics().get(transition.definition.metric().name());
    double loss =
        TrialResult.loss(
            metric == null ? Double.NaN : metric, transition.definition.metric().goal());
    PolicyView.Report report =
        new PolicyView.Report(event.unit(), loss, last.trainedS() + share * seconds);
    transition.trial(before.trial(), trial -> trial.with(report));
  }

  /** The seconds in which the reported units were trained; as predicted where nothing shows it. */
  private static double trainedS(
      Transition transition,
      AttemptState before,
      EngineEvent.Reported event,
      double startupS,
      double predictedS) {
    double seconds = measuredS(transition, before, event).orElse(0) - startupS(before, startupS);
    return seconds > 0 ? seconds : predictedS;
  }

  private static double startupS(AttemptState before, double startupS) {
    return isFirst(before) ? startupS : 0;
  }

  /**
   * Whether the time of its first report shows that an attempt needed no start-up: the program of
   * its trial has waited for it (docs/model.md, "Programs that wait").
   *
   * @param seconds from the start of the attempt to the report
   * @param predictedS those of the reported units
   * @param startupS mean seconds of a start-up
   */
  static boolean wasWaiting(
      Transition transition,
      AttemptState before,
      double seconds,
      double predictedS,
      double startupS) {
    return transition.definition.keepAlive()
        && before.from() > 0
        && isFirst(before)
        && seconds < predictedS + startupS / 2;
  }

  /** Whether the next report of an attempt is its first. */
  static boolean isFirst(AttemptState before) {
    return !before.hasReported();
  }

  /**
   * Returns the seconds since the report before, or since the start of the attempt; empty where
   * nothing shows them.
   *
   * @param before the attempt before the report
   */
  static OptionalDouble measuredS(
      Transition transition, AttemptState before, EngineEvent.Reported event) {
    boolean isKnown =
        switch (before.ending()) {
          case NOT, RESIZED, PREEMPTED -> !isFirst(before) || transition.isPrompt(event.at());
          case OVERRUN, HUNG, LOST, MOVED, DISCARDED, STOPPING, INHERITED, ADOPTED -> false;
        };
    return isKnown && !before.wasSuspended()
        ? OptionalDouble.of(Seconds.between(before.reportedAt(), event.at()))
        : OptionalDouble.empty();
  }
}
