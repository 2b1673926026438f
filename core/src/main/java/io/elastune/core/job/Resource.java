package io.elastune.core.job;

import io.elastune.core.Check;

/**
 * The training resource of a search: how many units a trial is trained.
 *
 * @param unit name of the unit, e.g. {@code epoch}
 * @param min units after which trials are compared for the first time
 * @param max units of a fully trained trial
 */
public record Resource(String unit, int min, int max) {
  public Resource {
    Check.text("search.resource.unit", unit);
    Check.atLeast("search.resource.min", 1, min);
    Check.atLeast("search.resource.max", min, max);
  }
}
