package io.elastune.simulator.sample;

/** Simulates a plan block by block. Not thread-safe. */
public interface BlockSampler {
  /** Simulates the samples of block {@code block} within the capacity of {@code outcome}. */
  void simulate(int block, Outcome outcome);
}
