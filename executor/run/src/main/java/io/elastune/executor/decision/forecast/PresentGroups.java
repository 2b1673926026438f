package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.PresentGroup.RunningTrial;
import io.elastune.executor.decision.forecast.ForecastBasis.TrialKey;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.PoolProgress;
import io.elastune.executor.decision.model.RunState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The trial groups in progress of chains that share instances, with the places of their trials. */
public final class PresentGroups {
  private final ForecastBasis basis;
  private final RunState state;
  private final String offer;
  private final SharedInstances instances;

  /** Creates the view of the present state of a run. */
  public PresentGroups(ForecastBasis basis) {
    this.basis = basis;
    this.state = basis.state();
    PoolProgress progress = new PoolProgress(basis.definition(), state);
    this.offer = progress.allocation().offer();
    this.instances = new SharedInstances(basis, progress.offer());
  }

  /**
   * Returns the present group of a chain; empty if it has not started. The instances of trials are
   * those held, in order.
   */
  public Optional<PresentGroup> of(int chain, TrialGroup group) {
    List<AttemptState> running = new ArrayList<>();
    List<Integer> waiting = new ArrayList<>();
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.chain() != chain) {
        continue;
      }
      if ((attempt.isActive() || attempt.done()) && instances.indexOf(attempt) >= 0) {
        running.add(attempt);
      } else if (!attempt.done()) {
        waiting.add(doneUnits(group, attempt.trial()));
      }
    }
    for (int trial : state.chains().get(chain).waiting()) {
      waiting.add(doneUnits(group, trial));
    }
    int trials = running.size() + waiting.size();
    if (trials == 0) {
      return Optional.empty();
    }
    running.sort(Comparator.comparing(AttemptState::startedAt));
    return Optional.of(
        new PresentGroup(
            group.with(trials, group.fromUnit(), group.toUnit()),
            running.stream().map(attempt -> running(group, attempt)).toList(),
            waiting));
  }

  private int doneUnits(TrialGroup group, int trial) {
    return group.fromScratch() ? 0 : group.units() - basis.unitsLeft(group, trial);
  }

  private RunningTrial running(TrialGroup group, AttemptState attempt) {
    int gpus = attempt.places().size();
    return new RunningTrial(
        group.fromScratch() ? 0 : Math.max(0, attempt.lastUnit() - group.fromUnit()),
        instances.indexOf(attempt),
        SharedInstances.firstGpu(attempt),
        gpus,
        basis.leftS(
            attempt,
            basis.duration(new Allocation(offer, 1, gpus, 1)),
            new TrialKey(
                basis.definition().offer(offer),
                attempt.chain(),
                state.chains().get(attempt.chain()).group(),
                attempt.trial())));
  }
}
