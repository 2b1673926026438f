package io.elastune.core.faults;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The rates at which instances of one offer fail. An offer has one market and at most one zone, so
 * its rates are those of this market and zone. docs/model.md, "Faults", defines their effects.
 */
@FileSection(
    title = "offers.faults",
    doc = "The rates at which the offer's instances fail. Predictions include them.")
@RecordBuilder
public record InstanceFaultRates(
    @FileField(doc = "A request is refused for lack of capacity.", example = FaultRate.PROBABILITY)
        FaultRate refusal,
    @FileField(doc = "Mean seconds until refused capacity is available.", example = "600")
        @Bounds(least = 0, most = Bounds.MOST_S, unit = "seconds")
        double refusalS,
    @FileField(
            doc = "An instance fails at the end of its boot, and is replaced.",
            example = FaultRate.PROBABILITY)
        FaultRate bootFailure,
    @FileField(doc = "An instance boots several times slower.", example = FaultRate.PROBABILITY)
        FaultRate slowBoot,
    @FileField(doc = "How many times slower it then boots.", example = "5")
        @Bounds(least = 1, most = 1000)
        double slowBootFactor,
    @FileField(
            doc = "Failures per instance and hour, from running to release.",
            example = FaultRate.PER_HOUR)
        FaultRate failures,
    @FileField(doc = "Preemptions per instance and hour.", example = FaultRate.PER_HOUR)
        FaultRate preemptions,
    @FileField(doc = "Seconds from the preemption notice to the preemption.", example = "120")
        @Bounds(least = 0, most = Bounds.MOST_S, unit = "seconds")
        double noticeS,
    @FileField(
            doc = "Probability that a preemption of one instance includes another one.",
            example = "0.6")
        @Bounds(least = 0, most = 1)
        double preemptedTogether) {
  /** No faults. */
  public static final InstanceFaultRates NONE =
      new InstanceFaultRates(
          FaultRate.NONE,
          0,
          FaultRate.NONE,
          FaultRate.NONE,
          1,
          FaultRate.NONE,
          FaultRate.NONE,
          0,
          0);

  public InstanceFaultRates {
    FaultRate.checkedProbability("refusal", refusal);
    Preconditions.notNegative("refusal_s", refusalS);
    FaultRate.checkedProbability("boot_failure", bootFailure);
    FaultRate.checkedProbability("slow_boot", slowBoot);
    Preconditions.that(slowBootFactor >= 1, "slow_boot_factor must be at least 1");
    Preconditions.notNegative("notice_s", noticeS);
    Preconditions.fraction("preempted_together", preemptedTogether);
  }

  /** Returns whether no fault can occur. */
  public boolean isNone() {
    return refusal.value() == 0
        && bootFailure.value() == 0
        && slowBoot.value() == 0
        && failures.value() == 0
        && preemptions.value() == 0;
  }

  /** Returns the rates of the faults of several runs together. */
  public InstanceFaultRates ofRuns(int runs) {
    return InstanceFaultRatesBuilder.builder(this)
        .refusal(refusal.inAnyOf(runs))
        .bootFailure(bootFailure.inAnyOf(runs))
        .slowBoot(slowBoot.inAnyOf(runs))
        .failures(failures.ofRuns(runs))
        .preemptions(preemptions.ofRuns(runs))
        .build();
  }

  /**
   * Returns these rates with the losses of the user's own instances.
   *
   * @param failed instances that failed or lost contact
   * @param preempted instances that were preempted
   * @param hours instance-hours in which that happened
   * @param origin where these instances ran, such as {@code own runs}
   */
  public InstanceFaultRates withObserved(int failed, int preempted, double hours, String origin) {
    return InstanceFaultRatesBuilder.builder(this)
        .failures(failures.withObserved(failed, hours, origin))
        .preemptions(preemptions.withObserved(preempted, hours, origin))
        .build();
  }

  /**
   * Returns these rates with the boots of the user's own instances.
   *
   * @param failed instances that failed before they became ready
   * @param boots instances that became ready or failed before
   * @param origin where these instances ran, such as {@code own runs}
   */
  public InstanceFaultRates withObservedBoots(int failed, int boots, String origin) {
    return InstanceFaultRatesBuilder.builder(this)
        .bootFailure(bootFailure.withObservedShare(failed, boots, origin))
        .build();
  }

  /** Returns whether none of these rates is higher than in {@code other}. */
  public boolean isAtMost(InstanceFaultRates other) {
    return refusal.value() * refusalS <= other.refusal.value() * other.refusalS
        && bootFailure.value() <= other.bootFailure.value()
        && slowBoot.value() * slowBootFactor <= other.slowBoot.value() * other.slowBootFactor
        && failures.value() <= other.failures.value()
        && preemptions.value() <= other.preemptions.value();
  }
}
