package io.elastune.core.job;

import io.elastune.core.Check;

/**
 * How long a trial is trained.
 *
 * @param unit what a unit is called, e.g. {@code epoch}
 * @param min units after which trials are first compared
 * @param max units of a fully trained trial
 */
public record Resource(String unit, int min, int max) {
  public Resource {
    Check.text("search.resource.unit", unit);
    Check.atLeast("search.resource.min", 1, min);
    Check.atLeast("search.resource.max", min, max);
  }
}
