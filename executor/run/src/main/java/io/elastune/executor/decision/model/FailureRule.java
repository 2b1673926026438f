package io.elastune.executor.decision.model;

import io.elastune.core.Preconditions;

/**
 * When failures of trials stop a run that has no result yet. Runs of earlier versions and simulated
 * runs have no such rule: simulated failures have no cause.
 *
 * @param equalFailures trials that must have failed for the same cause
 */
public record FailureRule(int equalFailures) {
  /** The rule of every run with real programs. */
  public static final FailureRule DEFAULT = new FailureRule(3);

  public FailureRule {
    Preconditions.positive("equalFailures", equalFailures);
  }
}
