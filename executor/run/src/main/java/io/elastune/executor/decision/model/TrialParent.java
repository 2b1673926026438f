package io.elastune.executor.decision.model;

/**
 * The trial from whose checkpoint another one started.
 *
 * @param trial its number
 * @param unit units of the checkpoint; 0 if the parent had none, so that the trial starts from
 *     scratch with a configuration that is derived from its parent's
 * @param use whether the checkpoint is still needed
 */
public record TrialParent(int trial, int unit, Use use) {
  /** Whether a trial still depends on the checkpoint of its parent. */
  public enum Use {
    /**
     * The trial has no later checkpoint of its own, and may start from that of its parent again.
     */
    NEEDED,
    /** The trial has a later checkpoint of its own. */
    REPLACED,
    /** It could not be read: the trial starts from scratch. */
    LOST
  }

  /** Whether the trial may start from the checkpoint. */
  boolean isNeeded() {
    return use == Use.NEEDED && unit > 0;
  }

  TrialParent as(Use other) {
    return new TrialParent(trial, unit, other);
  }
}
