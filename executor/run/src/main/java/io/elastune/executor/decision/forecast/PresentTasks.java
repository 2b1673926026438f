package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungProgress.IssuedTask;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.executor.decision.forecast.ForecastBasis.TrialKey;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tasks of a search made of rungs that were issued and have not ended, with their places. */
public final class PresentTasks {
  private static final int CHAIN = 0;

  private final ForecastBasis basis;
  private final RunState state;
  private final RungRule rule;
  private final TrialGroup open;
  private final Offer offer;
  private final SharedInstances instances;
  private final Map<Integer, TrialDuration> durations = new HashMap<>();

  /** Creates the view of the present state of a run. */
  public PresentTasks(ForecastBasis basis) {
    this.basis = basis;
    this.state = basis.state();
    this.rule = basis.definition().workload().rungs().orElseThrow();
    this.open = basis.definition().workload().chains().get(CHAIN).groups().get(0);
    Allocation allocation = state.allocation(basis.definition(), open);
    this.offer = basis.definition().offer(allocation.offer());
    this.instances = new SharedInstances(basis, offer);
  }

  /** Returns how far the search has come. The instances of tasks are those held, in order. */
  public RungProgress progress() {
    ChainState chain = state.chains().get(CHAIN);
    RungState rungs = chain.rungs().orElseGet(() -> new RungSearch(rule).initial());
    Map<Integer, AttemptState> attempts = attempts();
    List<IssuedTask> tasks = new ArrayList<>();
    rungs
        .tasks()
        .forEach(
            (trial, rung) -> {
              AttemptState attempt = attempts.get(trial);
              tasks.add(attempt == null ? waiting(trial, rung) : running(attempt, rung));
            });
    return new RungProgress(rungs, tasks);
  }

  /** The attempts that continue, by trial. */
  private Map<Integer, AttemptState> attempts() {
    Map<Integer, AttemptState> attempts = new HashMap<>();
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.isActive() && instances.indexOf(attempt) >= 0) {
        attempts.putIfAbsent(attempt.trial(), attempt);
      }
    }
    return attempts;
  }

  private IssuedTask waiting(int trial, int rung) {
    TrialState known = state.trials().get(trial);
    int done = known == null || rule.fromScratch() ? 0 : known.checkpoint();
    int from = rule.fromUnit(rule.shares().bracket(trial), rung);
    return new IssuedTask(
        new Train(trial, rung, from, rule.target(rung)), done, IssuedTask.NONE, 0, 0, 0);
  }

  private IssuedTask running(AttemptState attempt, int rung) {
    int gpus = attempt.places().size();
    int to = rule.isStopping() ? Math.max(rule.target(rung), attempt.lastUnit()) : attempt.to();
    TrialKey key = new TrialKey(offer, CHAIN, rung, attempt.trial());
    int units = attempt.to() - attempt.lastUnit();
    double beyondS = (attempt.to() - to) * basis.unitS(duration(gpus), units, key);
    double leftS = Math.max(0, basis.leftS(attempt, duration(gpus), key) - beyondS);
    return new IssuedTask(
        new Train(attempt.trial(), rung, attempt.from(), to),
        rule.fromScratch() ? 0 : attempt.lastUnit(),
        instances.indexOf(attempt),
        SharedInstances.firstGpu(attempt),
        gpus,
        leftS);
  }

  /** Returns the duration of a trial on so many GPUs. */
  TrialDuration duration(int gpus) {
    return durations.computeIfAbsent(
        gpus,
        size -> {
          Allocation now = state.allocation(basis.definition(), open);
          return basis.duration(new Allocation(now.offer(), 1, size, 1));
        });
  }
}
