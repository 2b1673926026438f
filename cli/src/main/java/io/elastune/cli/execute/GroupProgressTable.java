package io.elastune.cli.execute;

import io.elastune.cli.text.RungTasksLine;
import io.elastune.cli.text.TextTable;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Renders the live table of trial groups: completed, running and upcoming. */
final class GroupProgressTable {
  /** A longer table would push everything else off the screen. */
  private static final int MOST = 16;

  private final RunDefinition definition;
  private final RunState state;

  GroupProgressTable(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
  }

  /** Returns the lines; empty for a run with too many groups to show. */
  List<String> lines() {
    if (definition.workload().groups().size() > MOST) {
      return List.of();
    }
    TextTable table =
        new TextTable().left("group").right("trials").left("done").right("time").right("predicted");
    for (int chain = 0; chain < state.chains().size(); chain++) {
      List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
      // A profiling run chooses its groups one by one, and ends those at once that it does not
      // need.
      int shown =
          definition.isProfiling() ? state.chains().get(chain).started().size() : groups.size();
      for (int i = 0; i < shown && !isUnused(i, state.chains().get(chain)); i++) {
        row(table, groups.get(i), i, state.chains().get(chain));
      }
    }
    return table.lines();
  }

  private boolean isUnused(int index, ChainState chain) {
    return definition.isProfiling()
        && index < chain.ended().size()
        && chain.ended().get(index).equals(chain.started().get(index));
  }

  private void row(TextTable table, TrialGroup group, int index, ChainState chain) {
    boolean ended = index < chain.ended().size();
    boolean underWay = !ended && index < chain.started().size();
    long done =
        state.trials().values().stream()
            .filter(trial -> underWay && isMember(trial, chain))
            .filter(trial -> trial.unit() >= group.toUnit() || isMeasured(trial, chain))
            .count();
    table.row(
        group.name(),
        definition.isProfiling()
            ? underWay ? Integer.toString(chain.members().size()) : ""
            : RungTasksLine.trials(group.name(), group.trials()),
        ended ? "all" : underWay ? done + of(group) : "",
        time(index, chain),
        Optional.ofNullable(definition.forecasts().get(group.name()))
            .map(forecast -> Durations.format(forecast.seconds()))
            .orElse(""));
  }

  /** In a search made of rungs, every trial belongs to the phase in progress. */
  private boolean isMember(TrialState trial, ChainState chain) {
    return definition.workload().rungs().isPresent() || chain.members().contains(trial.trial());
  }

  private static String of(TrialGroup group) {
    if (group.name().equals(Workload.CLOSING)) {
      return " trained";
    }
    return RungTasksLine.isUnlimited(group.name(), group.trials()) ? "" : " of " + group.trials();
  }

  /** Whether a trial of a profiling run needs no further attempt. */
  private boolean isMeasured(TrialState trial, ChainState chain) {
    return definition.measurement().isPresent()
        && trial.unit() > 0
        && trial.status() == TrialState.Status.WAITING
        && !chain.waiting().contains(trial.trial());
  }

  private String time(int index, ChainState chain) {
    if (index >= chain.started().size()) {
      return "";
    }
    Instant end = index < chain.ended().size() ? chain.ended().get(index) : state.now();
    Duration took = Duration.between(chain.started().get(index), end);
    return Durations.format(took.toMillis() / 1e3);
  }
}
