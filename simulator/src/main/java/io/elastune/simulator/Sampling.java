package io.elastune.simulator;

import io.elastune.core.estimate.Estimate;

/**
 * What was sampled of one plan so far: few samples tell a hopeless plan, and more are added to them
 * where it is worth it. Begun by {@link Simulator#sampling}; for one thread.
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
   * Goes on until there are at least so many samples, in whole blocks, and never more than the
   * simulator's. What it returns begins with what it returned before.
   */
  public Samples upTo(int samples) {
    simulator.play(program, outcome, samples, played -> {});
    return outcome.joint();
  }

  /** The estimate from the samples so far; there must be one. */
  public Estimate estimate() {
    return simulator.estimate(outcome);
  }
}
