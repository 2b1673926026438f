package io.elastune.plan.api;

/** Thrown if no plan meets the limits of the job. */
public final class NoPlanException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient MissedLimits missed;

  NoPlanException(MissedLimits missed) {
    super("no plan meets the limits: " + missed.violated());
    this.missed = missed;
  }

  /** Returns which limits cannot be met, and which could be. */
  public MissedLimits missed() {
    return missed;
  }
}
