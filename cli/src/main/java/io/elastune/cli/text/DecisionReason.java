package io.elastune.cli.text;

import io.elastune.executor.decision.model.DecisionKind;

/** The reason of a decision as text, with the command that helps where there is one. */
public final class DecisionReason {
  private DecisionReason() {}

  /** Returns the text for a decision of {@code run}. */
  public static String of(String run, DecisionKind kind, String reason) {
    return kind == DecisionKind.BUDGET_NOT_INCREASED
        ? reason + "; with a higher budget it continues: elastune resume " + run + " --budget USD"
        : reason;
  }
}
