package io.elastune.core.job;

import io.elastune.core.Preconditions;

/**
 * The training resource of a search: how many units a trial is trained.
 *
 * @param unit name of the unit, e.g. {@code epoch}
 * @param min units after which trials are compared for the first time
 * @param max units of a fully trained trial
 */
public record TrainingResource(String unit, int min, int max) {
  public TrainingResource {
    Preconditions.text("search.resource.unit", unit);
    Preconditions.atLeast("search.resource.min", 1, min);
    Preconditions.atLeast("search.resource.max", min, max);
  }
}
