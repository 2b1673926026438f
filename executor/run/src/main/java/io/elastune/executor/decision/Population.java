package io.elastune.executor.decision;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.SearchDecision;
import io.elastune.executor.decision.model.CheckpointLinks;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.TrialParent;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Adds the new trials of a population, and decides which checkpoints trials share with their
 * parents (docs/searches.md, "PBT").
 */
final class Population {
  private Population() {}

  /**
   * Adds the trials that replace others at a barrier. They are members of the next group even if
   * the run stops before it.
   */
  static void replace(Transition transition, int chain, List<SearchDecision> decisions) {
    List<String> details = new ArrayList<>();
    int count = 0;
    for (SearchDecision decision : decisions) {
      if (decision instanceof SearchDecision.Replace replacement) {
        int unit = transition.trial(replacement.parent()).checkpoint();
        transition.addTrial(
            TrialState.explored(replacement.trial(), chain, replacement.parent(), unit));
        details.add(Integer.toString(replacement.trial()));
        details.add(Integer.toString(replacement.parent()));
        details.add(Integer.toString(replacement.replaced()));
        count++;
      } else if (decision instanceof SearchDecision.BeginGroup begins && !details.isEmpty()) {
        transition.chain(chain, transition.chain(chain).withMembers(begins.members()));
        record(transition, chain, begins.group(), details, count);
      }
    }
  }

  private static void record(
      Transition transition, int chain, int next, List<String> replacements, int count) {
    TrialGroup ended = transition.chainDefinition(chain).groups().get(next - 1);
    List<String> details = new ArrayList<>();
    details.add(ended.name());
    details.addAll(replacements);
    transition.recordDecision(
        DecisionKind.EXPLOIT,
        new DecisionReason(ReasonCode.TRIALS_REPLACED, details),
        Map.of("replaced", (double) count));
  }

  /** Returns the checkpoints that the next attempt of {@code trial} shares with other trials. */
  static CheckpointLinks links(Transition transition, TrialState trial) {
    OptionalInt parent =
        trial.needsParent() && trial.checkpoint() == trial.parent().map(TrialParent::unit).orElse(0)
            ? OptionalInt.of(trial.parent().orElseThrow().trial())
            : OptionalInt.empty();
    int held =
        transition.definition.workload().population().isEmpty()
            ? 0
            : transition.trials().values().stream()
                .filter(TrialState::needsParent)
                .flatMap(child -> child.parent().stream())
                .filter(from -> from.trial() == trial.trial())
                .mapToInt(TrialParent::unit)
                .max()
                .orElse(0);
    return new CheckpointLinks(parent, held);
  }
}
