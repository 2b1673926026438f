package io.elastune.core.plan;

import io.elastune.core.Preconditions;
import java.util.List;

/**
 * Trial groups in sequence: each starts when the previous one has ended.
 *
 * @param name "" for the only chain, otherwise "a", "b", …
 */
public record Chain(String name, List<TrialGroup> groups) {
  public Chain {
    groups = List.copyOf(groups);
    Preconditions.that(!groups.isEmpty(), "a chain must have at least one group");
  }
}
