package io.elastune.executor.decision.model;

import io.elastune.core.Preconditions;
import java.util.OptionalInt;

/**
 * How long a profiling run measures a trial. Every attempt continues from the trial's newest
 * checkpoint, or from the start without one. The first attempt trains one unit and the second one
 * resumes it, so that an error in the trial's code for checkpoints shows at once. Each further
 * attempt at least doubles the units, until the times of the units are known well enough:
 *
 * <ul>
 *   <li>{@code enoughS} seconds lie between reports of the same attempt, or
 *   <li>two attempts that report only at their ends differ enough to separate start-up from
 *       training: by {@code differenceS} seconds, and by a factor of two.
 * </ul>
 *
 * @param enoughS seconds between reports that are enough
 * @param differenceS seconds between the durations of two attempts that are enough
 * @param configurations trials that are measured per group, if they are short
 * @param shortS seconds after which a group gets no further trial, unless all have failed
 * @param spareConfigurations additional trials of a group in which all others failed
 * @param chosen whether the allocation of each group after the first is chosen when the group
 *     before it ends; otherwise it is that of the plan
 */
public record MeasurementRule(
    double enoughS,
    double differenceS,
    int configurations,
    double shortS,
    int spareConfigurations,
    boolean chosen) {
  private static final int FIRST_UNITS = 1;
  private static final int SECOND_UNITS = 5;
  private static final int MAX_GROWTH = 8;
  private static final int SEPARABLE = 2;

  /** Creates the rule of a run that measures every group of its plan. */
  public MeasurementRule(
      double enoughS,
      double differenceS,
      int configurations,
      double shortS,
      int spareConfigurations) {
    this(enoughS, differenceS, configurations, shortS, spareConfigurations, false);
  }

  /** Returns this rule for a run whose measurements are chosen one by one. */
  public MeasurementRule choosing() {
    return new MeasurementRule(
        enoughS, differenceS, configurations, shortS, spareConfigurations, true);
  }

  public MeasurementRule {
    Preconditions.positive("enoughS", enoughS);
    Preconditions.positive("differenceS", differenceS);
  }

  /**
   * Returns the units up to which the trial is trained next; empty if it is measured.
   *
   * @param unit units that its last completed attempt reached; 0 before the first
   * @param most units up to which the job trains a trial
   */
  public OptionalInt nextUnit(MeasuredTime measured, int unit, int most) {
    if (unit >= most || isEnough(measured)) {
      return OptionalInt.empty();
    }
    if (measured.attempts() == 0) {
      return OptionalInt.of(FIRST_UNITS);
    }
    if (measured.attempts() == 1) {
      return OptionalInt.of(Math.min(most, SECOND_UNITS));
    }
    double units = Math.max(unit, Math.min((MAX_GROWTH - 1.0) * unit, unitsFor(measured)));
    return OptionalInt.of((int) Math.min(most, unit + units));
  }

  private boolean isEnough(MeasuredTime measured) {
    if (measured.attempts() < 2) {
      return false;
    }
    double difference = measured.longest().seconds() - measured.shortest().seconds();
    return measured.betweenS() >= enoughS
        || (difference >= differenceS
            && measured.longest().seconds() >= SEPARABLE * measured.shortest().seconds());
  }

  /** Units that take {@link #enoughS}, or fewer, as start-up counts as training if unknown. */
  private double unitsFor(MeasuredTime measured) {
    double unitS =
        measured.betweenUnits() > 0
            ? measured.betweenS() / measured.betweenUnits()
            : measured.longest().seconds() / measured.longest().units();
    return unitS > 0 ? enoughS / unitS : Double.POSITIVE_INFINITY;
  }
}
