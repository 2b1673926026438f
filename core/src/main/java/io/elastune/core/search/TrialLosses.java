package io.elastune.core.search;

/** The results of the trials of a search made of rungs. */
public interface TrialLosses {
  /** Returns the loss of a trial at the target of a rung: less is better. */
  double loss(int trial, int rung);
}
