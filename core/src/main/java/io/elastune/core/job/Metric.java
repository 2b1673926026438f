package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;

/** The metric by which trials are compared. Every trial reports it. */
@FileSection(title = "search.metric", doc = "The metric that every trial reports.")
public record Metric(
    @FileField(doc = "Name of the metric in the reports of the trials.", example = "val_acc")
        String name,
    @FileField(doc = "Whether higher or lower values are better.", example = "maximize")
        Goal goal) {
  /** Whether higher or lower values are better. */
  public enum Goal implements Word {
    MAXIMIZE,
    MINIMIZE
  }

  public Metric {
    Preconditions.text("search.metric.name", name);
  }
}
