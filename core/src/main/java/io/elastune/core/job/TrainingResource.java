package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.OptionalInt;

/**
 * The training resource of a search: how many units a trial is trained.
 *
 * @param unit name of the unit, e.g. {@code epoch}
 * @param min units after which trials are compared for the first time; 1 with {@code rungs}
 * @param max units of a fully trained trial
 * @param rungs how often the trials of an asynchronous search are compared, at targets that are
 *     computed from {@code max} down; empty if they follow from {@code min}
 */
public record TrainingResource(String unit, int min, int max, OptionalInt rungs) {
  public TrainingResource {
    Preconditions.text("search.resource.unit", unit);
    Preconditions.atLeast("search.resource.min", 1, min);
    Preconditions.atLeast("search.resource.max", min, max);
    rungs.ifPresent(count -> Preconditions.atLeast("search.resource.rungs", 2, count));
  }

  /** Creates a resource whose targets follow from {@code min}. */
  public TrainingResource(String unit, int min, int max) {
    this(unit, min, max, OptionalInt.empty());
  }
}
