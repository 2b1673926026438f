package io.elastune.core.faults;

/**
 * The rates at which trials of one program fail. docs/model.md, "Faults", defines their effects.
 *
 * @param crashes crashes per attempt and hour
 * @param hangs hangs per attempt and hour
 * @param tornCheckpoint probability that the last checkpoint of a trial in a group is incomplete
 */
public record TrialFaultRates(FaultRate crashes, FaultRate hangs, FaultRate tornCheckpoint) {
  /** No faults. */
  public static final TrialFaultRates NONE =
      new TrialFaultRates(FaultRate.NONE, FaultRate.NONE, FaultRate.NONE);

  public TrialFaultRates {
    FaultRate.checkedProbability("torn_checkpoint", tornCheckpoint);
  }

  /** Returns whether no fault can occur. */
  public boolean isNone() {
    return crashes.value() == 0 && hangs.value() == 0 && tornCheckpoint.value() == 0;
  }

  /**
   * Returns these rates with the attempts of the user's own runs.
   *
   * @param failed attempts that ended with an error, which count as crashes
   * @param hours hours of all attempts
   * @param origin where they ran, such as {@code own runs}
   */
  public TrialFaultRates withObserved(int failed, double hours, String origin) {
    return new TrialFaultRates(crashes.withObserved(failed, hours, origin), hangs, tornCheckpoint);
  }

  /** Returns these rates multiplied by {@code factor}. */
  public TrialFaultRates times(double factor) {
    return new TrialFaultRates(
        crashes.times(factor, false),
        hangs.times(factor, false),
        tornCheckpoint.times(factor, true));
  }
}
