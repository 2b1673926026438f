package io.elastune.executor.decision.model;

import io.elastune.core.time.Seconds;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * The use of one lease by trials, which is what some offers bill. While trials run, and after a
 * fault, the controller's own times count: from the first start that it has requested to the last
 * end that it has learned of. If an earlier controller has requested the start, the possible error
 * of its clock counts, too. That is never less than the use. Once the engine has reported the end
 * of all attempts of this time with their starts, its times replace them: both are of one clock.
 *
 * @param beforeS seconds of use before {@code since}
 * @param since when the first of the trials that use it now was started; empty while none does
 * @param until when their use ended at the latest, if it did not end with the last attempt
 * @param first the first start of an attempt that has ended since {@code since}, by the engine
 * @param last the last end of one, by the engine
 * @param errorS seconds by which the clock may have been ahead at {@code since}; 0 as long as only
 *     times of this controller's clock are compared with it
 * @param isInherited whether {@code since} is a time of an earlier controller
 * @param isMeasured whether the engine has reported the starts of all attempts that have ended
 *     since
 */
@RecordBuilder
public record LeaseUse(
    double beforeS,
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<Instant> first,
    Optional<Instant> last,
    double errorS,
    boolean isInherited,
    boolean isMeasured) {
  /** A lease that no trial has used. */
  public static final LeaseUse NONE = idle(0);

  private static LeaseUse idle(double beforeS) {
    return LeaseUseBuilder.builder().beforeS(beforeS).isMeasured(true).build();
  }

  /** Returns whether trials use it, or used it until its end. */
  public boolean isBusy() {
    return since.isPresent();
  }

  /** Returns the use after the start of an attempt. */
  public LeaseUse started(Instant now) {
    return isBusy() ? this : LeaseUseBuilder.builder(this).since(Optional.of(now)).build();
  }

  /**
   * Returns the use after another controller has taken over, whose clock may differ.
   *
   * @param aheadS seconds by which the clock of the earlier one may have been ahead
   */
  public LeaseUse resumed(double aheadS) {
    return isBusy() && !isInherited
        ? LeaseUseBuilder.builder(this).errorS(aheadS).isInherited(true).build()
        : this;
  }

  /**
   * Returns the longest use until a time by another clock, such as that of the cloud.
   *
   * @param aheadS seconds by which the clock of this controller may be ahead of it
   */
  public LeaseUse byAnotherClock(double aheadS) {
    return isBusy() && !isInherited && until.isEmpty()
        ? LeaseUseBuilder.builder(this).errorS(aheadS).build()
        : this;
  }

  /** Returns the use if the present one had not begun. */
  public LeaseUse withoutPresent() {
    return idle(beforeS);
  }

  /**
   * Returns the use after the end of an attempt.
   *
   * @param start when it began to use the lease, by the clock of {@code end}; empty if unknown
   */
  public LeaseUse ended(Optional<Instant> start, Instant end) {
    if (!isBusy()) {
      return this;
    }
    if (start.isEmpty()) {
      return LeaseUseBuilder.builder(this).isMeasured(false).build();
    }
    return LeaseUseBuilder.builder(this)
        .first(Optional.of(first.filter(start.get()::isAfter).orElse(start.get())))
        .last(Optional.of(last.filter(end::isBefore).orElse(end)))
        .build();
  }

  /** Returns the use after the end of the last attempt. */
  public LeaseUse idle(Instant now) {
    double counted = usedS(now);
    if (isMeasured && first.isPresent() && last.isPresent()) {
      counted = beforeS + Math.max(0, Seconds.between(first.get(), last.get()));
    }
    return isBusy() ? idle(counted) : this;
  }

  /**
   * Returns the use that ends at {@code now}, even if the end of its attempts was not reported. The
   * lease has ended before, by the cloud's clock.
   *
   * @param aheadS seconds by which the clock of this controller may be ahead of the cloud's
   */
  public LeaseUse until(Instant now, double aheadS) {
    return isBusy() && until.isEmpty()
        ? LeaseUseBuilder.builder(byAnotherClock(aheadS)).until(Optional.of(now)).build()
        : this;
  }

  /**
   * Returns the seconds of use up to {@code end}, which may be a time of the cloud. Between two
   * times of this controller's clock, its error does not count.
   */
  public double usedS(Instant end) {
    if (since.isEmpty()) {
      return beforeS;
    }
    Instant last = until.filter(end::isAfter).orElse(end);
    double mostS = errorS + Math.max(0, Seconds.between(since.get(), last));
    return beforeS
        + (until.isEmpty() || isInherited
            ? mostS
            : Math.min(mostS, Math.max(0, Seconds.between(since.get(), until.get()))));
  }
}
