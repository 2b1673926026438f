package io.elastune.cli.inspect;

import io.elastune.cli.text.Plural;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * For what the waiting trials of a run wait.
 *
 * @param trained those that have ended their group, which ends when its other trials have
 * @param paused those of a search made of rungs that wait at a rung
 * @param others those that wait for a place
 * @param isOver whether the run has ended or has no controller, so that nothing starts
 */
record WaitingTrials(long trained, long paused, long others, boolean isOver) {
  static WaitingTrials of(RunRecord run, boolean isOver) {
    boolean isFinal = isOver && run.simulated(); // it cannot be resumed
    if (isFinal || run.meta().kind() == RunMeta.Kind.PROFILE) {
      return new WaitingTrials(0, 0, 0, isOver);
    }
    Map<String, Integer> targets = new HashMap<>();
    for (GroupRow group : run.groups()) {
      if (group.started().isPresent() && group.ended().isEmpty()) {
        int dot = group.name().indexOf('.');
        targets.put(dot > 0 ? group.name().substring(0, dot) : "", group.toUnit());
      }
    }
    boolean hasRungs = run.rungs().isPresent();
    int any = targets.values().stream().mapToInt(to -> to).min().orElse(Integer.MAX_VALUE);
    long trained = 0;
    long paused = 0;
    for (TrialRow trial : run.trials()) {
      boolean waits = trial.status() == TrialState.Status.WAITING && trial.unit() > 0;
      if (waits && hasRungs) {
        paused++;
      } else if (waits && trial.unit() >= targets.getOrDefault(trial.chain(), any)) {
        trained++;
      }
    }
    return new WaitingTrials(
        trained, paused, RunStatus.Trials.of(run).waiting() - trained - paused, isOver);
  }

  /** Returns one line; empty if no trial waits. */
  Optional<String> line() {
    if (isOver) {
      return trained + paused + others == 0
          ? Optional.empty()
          : Optional.of("waiting: they continue if the run is resumed");
    }
    List<String> parts = new ArrayList<>();
    if (trained > 0) {
      parts.add(Plural.counted(trained, "trial") + " for the others of the group");
    }
    if (paused > 0) {
      parts.add(Plural.counted(paused, "trial") + " for a promotion");
    }
    if (others > 0) {
      parts.add(Plural.counted(others, "trial") + " for a free slot");
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of("waiting: " + String.join(", ", parts));
  }
}
