package io.elastune.simulator;

/** Simulates a plan block by block. Not thread-safe. */
interface BlockSampler {
  /** Simulates the samples of block {@code block} within the capacity of {@code outcome}. */
  void simulate(int block, Outcome outcome);
}
