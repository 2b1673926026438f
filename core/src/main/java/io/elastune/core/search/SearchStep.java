package io.elastune.core.search;

import java.util.List;

/**
 * The result of one event of a search.
 *
 * @param state the state after the event
 * @param decisions what follows, in order
 */
public record SearchStep<S extends SearchState>(S state, List<SearchDecision> decisions) {
  public SearchStep {
    decisions = List.copyOf(decisions);
  }
}
