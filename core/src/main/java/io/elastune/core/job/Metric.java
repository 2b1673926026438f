package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;
import java.util.Optional;

/** The metric by which trials are compared. Every trial reports it. */
@FileSection(title = "search.metric", doc = "The metric that every trial reports.")
public record Metric(
    @FileField(doc = "Name of the metric in the reports of the trials.", example = "val_acc")
        String name,
    @FileField(doc = "Whether higher or lower values are better.", example = "maximize") Goal goal,
    @FileField(
            doc =
                "Finds the metric in the output of a program without reports: the first group of"
                    + " the last match.",
            without = "the last JSON line with it",
            example = "'val loss = (.*)'")
        Optional<String> pattern,
    @FileField(
            doc =
                "JSON file that a program without reports writes, relative to its working folder.",
            without = "none",
            example = "out/metrics.json")
        Optional<String> from,
    @FileField(
            doc =
                "Which value counts: the last one, or the best one, whose checkpoint is then kept.",
            without = "last",
            example = "best")
        Optional<Scope> scope) {
  /** Whether higher or lower values are better. */
  public enum Goal implements Word {
    MAXIMIZE,
    MINIMIZE
  }

  /** Which value of a trial counts. */
  public enum Scope implements Word {
    LAST,
    BEST
  }

  public Metric {
    Preconditions.text("search.metric.name", name);
  }

  /** Creates a metric that trials report, and whose last value counts. */
  public Metric(String name, Goal goal) {
    this(name, goal, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns whether the best value counts instead of the last one. */
  public boolean takesBest() {
    return scope.filter(Scope.BEST::equals).isPresent();
  }

  /** Returns whether a value is better than another one. No value is better than NaN. */
  public boolean isBetter(double value, double other) {
    if (Double.isNaN(value) || Double.isNaN(other)) {
      return !Double.isNaN(value);
    }
    return goal == Goal.MAXIMIZE ? value > other : value < other;
  }

  /** Returns whether another metric has the same name and goal. */
  public boolean isComparable(Metric other) {
    return name.equals(other.name) && goal == other.goal;
  }
}
