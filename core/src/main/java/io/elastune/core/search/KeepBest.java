package io.elastune.core.search;

import java.util.List;

/**
 * The best trials continue, and the others stop.
 *
 * @param comparesTrials whether only trials with a finite metric continue; false where trials are
 *     measured, not compared
 */
record KeepBest(boolean comparesTrials) implements BarrierRule {
  @Override
  public Survivors at(GroupSearchState state, int trials) {
    List<Integer> members =
        state.losses().entrySet().stream()
            .map(entry -> new TrialResult(entry.getKey(), entry.getValue()))
            .filter(result -> !comparesTrials || result.isValid())
            .sorted()
            .limit(trials)
            .map(TrialResult::trial)
            .sorted()
            .toList();
    List<SearchDecision> stopped =
        state.losses().keySet().stream()
            .filter(trial -> !members.contains(trial))
            .<SearchDecision>map(SearchDecision.Stop::new)
            .toList();
    return new Survivors(members, state.begun(), stopped);
  }
}
