package io.elastune.core.plan;

/**
 * Divides the trials of asynchronous Hyperband among its brackets in the proportions of Hyperband,
 * so that all brackets train about as many units (docs/searches.md, "Asynchronous Hyperband").
 * Bracket b starts at rung b. The bracket of a trial depends on its number only.
 */
public final class BracketShares {
  /** By bracket: the weights of this bracket and all later ones. */
  private final long[] tails;

  /** Computes the shares of the brackets of a search with {@code rungs} rungs. */
  BracketShares(int brackets, int rungs, int eta) {
    tails = new long[brackets + 1];
    for (int bracket = brackets - 1; bracket >= 0; bracket--) {
      tails[bracket] = tails[bracket + 1] + weight(rungs, eta, bracket);
    }
  }

  /** The trials with which Hyperband starts the bracket: ⌈rungs·eta^s/(s+1)⌉ with s rungs above. */
  private static long weight(int rungs, int eta, int bracket) {
    int above = rungs - 1 - bracket;
    long reduction = 1;
    for (int i = 0; i < above && reduction < Integer.MAX_VALUE; i++) {
      reduction *= eta;
    }
    return (rungs * Math.min(reduction, Integer.MAX_VALUE) + above) / (above + 1);
  }

  /** Returns the bracket, from 0, of a trial, from 1. */
  public int bracket(int trial) {
    int bracket = 0;
    long index = trial;
    while (bracket + 2 < tails.length && isLater(bracket, index)) {
      index = later(bracket, index);
      bracket++;
    }
    return bracket;
  }

  private boolean isLater(int bracket, long index) {
    return later(bracket, index) > later(bracket, index - 1);
  }

  /** Of the first trials that are in the bracket or a later one, how many are in a later one. */
  private long later(int bracket, long trials) {
    return trials * tails[bracket + 1] / tails[bracket];
  }

  /** Returns how many of the first {@code trials} are in a bracket. */
  public int trials(int bracket, int trials) {
    long here = trials;
    for (int before = 0; before < bracket; before++) {
      here = later(before, here);
    }
    return (int) (here - later(bracket, here));
  }
}
