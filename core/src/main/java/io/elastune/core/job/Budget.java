package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;

/** The budget of a run. It includes profiling. */
@FileSection(title = "budget", doc = "The budget of a run.")
public record Budget(
    @FileField(doc = "Highest total cost, including profiling.", example = "45")
        @Bounds(above0 = true, most = Bounds.MOST_USD, unit = "USD")
        double usd,
    @FileField(
            doc = "Fraction of the budget at which a warning is sent.",
            absent = "0.8",
            example = "80%")
        double warnAt,
    @FileField(
            doc =
                "`stop` stops the run before it exceeds the budget; `finish-group` starts no new"
                    + " group.",
            absent = "stop",
            example = "stop")
        OnReach onReach) {
  /** What the controller does when the budget is reached. */
  public enum OnReach implements Word {
    /** Stops the run before spent + committed reaches the budget. */
    STOP,
    /** Starts no new trial group once the forecast exceeds the budget. */
    FINISH_GROUP
  }

  public Budget {
    Preconditions.positive("budget.usd", usd);
    Preconditions.fraction("budget.warn_at", warnAt);
  }
}
