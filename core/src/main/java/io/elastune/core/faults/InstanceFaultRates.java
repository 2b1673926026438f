package io.elastune.core.faults;

import io.elastune.core.Preconditions;

/**
 * The rates at which instances of one offer fail. An offer has one market and at most one zone, so
 * its rates are those of this market and zone. docs/model.md, "Faults", defines their effects.
 *
 * @param refusal probability that a request is refused for lack of capacity
 * @param refusalS mean seconds until refused capacity is available
 * @param bootFailure probability that an instance fails at the end of its boot
 * @param slowBoot probability that an instance boots several times slower
 * @param slowBootFactor how many times slower it then boots
 * @param failures failures per instance and hour, from running to release
 * @param preemptions preemptions per instance and hour
 * @param noticeS seconds from the preemption notice to the preemption
 * @param preemptedTogether probability that a preemption of one instance includes another one
 */
public record InstanceFaultRates(
    FaultRate refusal,
    double refusalS,
    FaultRate bootFailure,
    FaultRate slowBoot,
    double slowBootFactor,
    FaultRate failures,
    FaultRate preemptions,
    double noticeS,
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

  /**
   * Returns these rates with the losses of the user's own instances.
   *
   * @param failed instances that failed or lost contact
   * @param preempted instances that were preempted
   * @param hours instance-hours in which that happened
   * @param origin where these instances ran, such as {@code own runs}
   */
  public InstanceFaultRates withObserved(int failed, int preempted, double hours, String origin) {
    return new InstanceFaultRates(
        refusal,
        refusalS,
        bootFailure,
        slowBoot,
        slowBootFactor,
        failures.withObserved(failed, hours, origin),
        preemptions.withObserved(preempted, hours, origin),
        noticeS,
        preemptedTogether);
  }

  /** Returns whether none of these rates is higher than in {@code other}. */
  public boolean isAtMost(InstanceFaultRates other) {
    return refusal.value() * refusalS <= other.refusal.value() * other.refusalS
        && bootFailure.value() <= other.bootFailure.value()
        && slowBoot.value() * slowBootFactor <= other.slowBoot.value() * other.slowBootFactor
        && failures.value() <= other.failures.value()
        && preemptions.value() <= other.preemptions.value();
  }

  /** Returns these rates multiplied by {@code factor}. */
  public InstanceFaultRates times(double factor) {
    return new InstanceFaultRates(
        refusal.times(factor, true),
        refusalS,
        bootFailure.times(factor, true),
        slowBoot.times(factor, true),
        slowBootFactor,
        failures.times(factor, false),
        preemptions.times(factor, false),
        noticeS,
        preemptedTogether);
  }
}
