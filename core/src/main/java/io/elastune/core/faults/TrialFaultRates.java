package io.elastune.core.faults;

import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;

/**
 * The rates at which trials of one program fail. docs/model.md, "Faults", defines their effects.
 */
@FileSection(
    title = "faults",
    doc = "The rates at which the program's trials fail. Predictions include them.")
public record TrialFaultRates(
    @FileField(doc = "Crashes per attempt and hour.", example = FaultRate.PER_HOUR)
        FaultRate crashes,
    @FileField(doc = "Hangs per attempt and hour.", example = FaultRate.PER_HOUR) FaultRate hangs,
    @FileField(
            doc = "The last checkpoint of a trial in a group is incomplete.",
            example = FaultRate.PROBABILITY)
        FaultRate tornCheckpoint) {
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

  /** Returns the rates of the faults of several runs together. */
  public TrialFaultRates ofRuns(int runs) {
    return new TrialFaultRates(
        crashes.ofRuns(runs), hangs.ofRuns(runs), tornCheckpoint.inAnyOf(runs));
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
}
