package io.elastune.cli.execute;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.PercentFormat;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.time.Durations;
import io.elastune.inputs.MissedChoiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Says why a requested plan of the frontier is refused. */
public final class ChoiceRefusal {
  private final MissedChoiceException missed;

  private ChoiceRefusal(MissedChoiceException missed) {
    this.missed = missed;
  }

  /**
   * Returns the chosen plan.
   *
   * @throws CommandFailure with exit code 10 if it does not meet the limits
   */
  public static <T> T explained(Supplier<T> choice) {
    try {
      return choice.get();
    } catch (MissedChoiceException e) {
      ChoiceRefusal refusal = new ChoiceRefusal(e);
      throw CommandFailure.of(ExitCode.INFEASIBLE, "--choice", refusal.message(), refusal.hint());
    }
  }

  /** Returns which limits the plan misses, and by how much. */
  private String message() {
    Estimate estimate = missed.estimate();
    List<String> parts = new ArrayList<>();
    if (missed.isLate()) {
      parts.add(
          "finishes in %s on average, and by the deadline of %s with a probability of %s"
              .formatted(
                  Durations.format(estimate.completionS().mean()),
                  Durations.format(missed.limits().deadlineS().orElse(0)),
                  PercentFormat.probability(estimate.onTime())));
    }
    if (missed.isOverBudget()) {
      parts.add(
          "costs %s on average, and at most the budget of %s with a probability of %s"
              .formatted(
                  UsdFormat.format(estimate.costUsd().mean()),
                  UsdFormat.format(missed.limits().budgetUsd().orElse(0)),
                  PercentFormat.probability(estimate.inBudget().orElse(1))));
    }
    return "plan " + missed.number() + " " + String.join("; it ", parts);
  }

  /** Returns the remedy. */
  private String hint() {
    return missed.alternatives().map(numbers -> numbers + "; or ").orElse("")
        + "relax the limit with --deadline or --budget";
  }
}
