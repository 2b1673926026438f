package io.elastune.core.plan;

import io.elastune.core.Check;
import java.util.List;

/**
 * Trial groups one after the other: each starts when the one before it has ended.
 *
 * @param name "" for the only chain, else "a", "b", …
 */
public record Chain(String name, List<TrialGroup> groups) {
  public Chain {
    groups = List.copyOf(groups);
    Check.that(!groups.isEmpty(), "a chain must have at least one group");
  }
}
