package io.elastune.executor.decision;

/**
 * An asynchronous search in the state of a run: one chain with two groups, {@code open} while new
 * trials start and {@code closing} afterwards.
 */
final class RungChain {
  /** The index of the chain. */
  static final int INDEX = 0;

  private RungChain() {}
}
