package io.elastune.executor.simulation;

import io.elastune.core.Preconditions;

/**
 * The timing and behavior of a simulated attempt that is not interrupted.
 *
 * @param startupS seconds until its first unit starts
 * @param unitS seconds per unit
 * @param stopS seconds that it needs to write a checkpoint after a stop request
 * @param savesEvery units between two checkpoints; 0 if it saves only at its end or when it is
 *     stopped
 * @param behavior whether and how it misbehaves
 * @param doneAt the unit from which on its reports say that it needs no more training; the maximum
 *     for never
 * @param torn probability that a checkpoint is torn
 */
public record AttemptScript(
    double startupS,
    double unitS,
    double stopS,
    int savesEvery,
    AttemptBehavior behavior,
    int doneAt,
    double torn) {
  public AttemptScript {
    Preconditions.notNegative("startupS", startupS);
    Preconditions.notNegative("unitS", unitS);
    Preconditions.notNegative("stopS", stopS);
    Preconditions.atLeast("savesEvery", 0, savesEvery);
    Preconditions.atLeast("doneAt", 1, doneAt);
    Preconditions.fraction("torn", torn);
  }

  /** Creates the script of an attempt that trains all its units. */
  public AttemptScript(
      double startupS, double unitS, double stopS, int savesEvery, AttemptBehavior behavior) {
    this(startupS, unitS, stopS, savesEvery, behavior, Integer.MAX_VALUE, 0);
  }

  /** Returns the same for an attempt whose program has started before. */
  public AttemptScript withoutStartup() {
    return new AttemptScript(0, unitS, stopS, savesEvery, behavior, doneAt, torn);
  }
}
