package io.elastune.simulator;

import io.elastune.core.estimate.Estimate;

/**
 * The incremental sampling of one plan. A few samples are sufficient to reject an infeasible plan,
 * and more can be added to them. Created by {@link Simulator#sampling}; not thread-safe.
 */
public final class Sampling {
  private final Simulator simulator;
  private final Program program;
  private final Outcome outcome;

  Sampling(Simulator simulator, Program program, Outcome outcome) {
    this.simulator = simulator;
    this.program = program;
    this.outcome = outcome;
  }

  /**
   * Samples until there are at least {@code samples} samples, in whole blocks, up to the number of
   * the simulator. The result starts with the samples of earlier calls.
   */
  public Samples upTo(int samples) {
    simulator.play(program, outcome, samples, played -> {});
    return outcome.joint();
  }

  /** Returns the estimate from the samples so far; there must be at least one. */
  public Estimate estimate() {
    return simulator.estimate(outcome);
  }
}
