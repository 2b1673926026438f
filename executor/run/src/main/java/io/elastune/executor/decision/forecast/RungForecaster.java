package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.RungTimeline;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.SearchEvent;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Forecasts the rest of a search made of rungs: plays it from the present state with mean durations
 * and {@link PresentRanks}.
 */
final class RungForecaster implements Forecaster {
  private static final int CHAIN = 0;

  private final RunDefinition definition;
  private final RunState state;
  private final ForecastBasis basis;
  private final RungRule rule;
  private final List<TrialGroup> groups;
  private final Map<Integer, TrialDuration> durations = new HashMap<>();

  RungForecaster(ForecastBasis basis) {
    this.basis = basis;
    this.definition = basis.definition();
    this.state = basis.state();
    this.rule = definition.workload().rungs().orElseThrow();
    this.groups = definition.workload().chains().get(CHAIN).groups();
  }

  @Override
  public RestForecast forecast() {
    ChainState chain = state.chains().get(CHAIN);
    if (chain.group() >= groups.size() || chain.rungs().filter(RungState::isFinished).isPresent()) {
      return RestForecast.NONE;
    }
    RungSearch search = new RungSearch(rule);
    Allocation open = state.allocation(definition, groups.get(0));
    Allocation closing = state.allocation(definition, groups.get(1));
    Offer offer = definition.offer(open.offer());
    SharedInstances instances = new SharedInstances(basis, offer);
    Map<Integer, AttemptState> attempts = attempts(instances);
    RungState rungs =
        withInterrupted(search, chain.rungs().orElseGet(search::initial), attempts.keySet());
    RungTimeline.Pool pool =
        new RungTimeline.Pool(
            offer.gpus(),
            new RungTimeline.PhaseSize(open.instances(), open.gpusPerTrial()),
            new RungTimeline.PhaseSize(closing.instances(), closing.gpusPerTrial()),
            definition.plan().hold());
    double[] readyS = instances.readyS(present(open, closing, rungs).instances());
    RungTimeline timeline = new RungTimeline(search, rungs, pool, readyS, new Means(rungs));
    definition
        .searchStopS()
        .ifPresent(stopS -> timeline.stopAt(stopS - state.elapsedS(), rule.newUnitS()));
    addRunning(timeline, rungs, attempts, instances);
    timeline.run();
    return new RestForecast(timeline.endS(), instances.usd(timeline.releasedS));
  }

  private static Allocation present(Allocation open, Allocation closing, RungState rungs) {
    return rungs.phase() == RungState.Phase.OPEN ? open : closing;
  }

  /** Tasks without an attempt that continues start again. */
  private static RungState withInterrupted(
      RungSearch search, RungState rungs, Set<Integer> continuing) {
    RungState after = rungs;
    for (int trial : rungs.tasks().keySet()) {
      if (!continuing.contains(trial)) {
        after = search.step(after, new SearchEvent.Interrupted(trial)).state();
      }
    }
    return after;
  }

  /** The attempts that continue, by trial. */
  private Map<Integer, AttemptState> attempts(SharedInstances instances) {
    Map<Integer, AttemptState> attempts = new HashMap<>();
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.isActive() && instances.indexOf(attempt) >= 0) {
        attempts.putIfAbsent(attempt.trial(), attempt);
      }
    }
    return attempts;
  }

  private void addRunning(
      RungTimeline timeline,
      RungState rungs,
      Map<Integer, AttemptState> attempts,
      SharedInstances instances) {
    rungs
        .tasks()
        .forEach(
            (trial, rung) -> {
              AttemptState attempt = attempts.get(trial);
              if (attempt != null) {
                addRunning(timeline, attempt, rung, instances);
              }
            });
  }

  private void addRunning(
      RungTimeline timeline, AttemptState attempt, int rung, SharedInstances instances) {
    int gpus = attempt.places().size();
    int to = rule.isStopping() ? Math.max(rule.target(rung), attempt.lastUnit()) : attempt.to();
    double beyondS = (attempt.to() - to) * duration(gpus).unitS() * basis.pace();
    double leftS = Math.max(0, basis.leftS(attempt, duration(gpus)) - beyondS);
    timeline.addRunning(
        new Train(attempt.trial(), rung, attempt.from(), to),
        instances.indexOf(attempt),
        SharedInstances.firstGpu(attempt),
        gpus,
        leftS);
  }

  private TrialDuration duration(int gpus) {
    return durations.computeIfAbsent(
        gpus,
        size -> {
          Allocation open = state.allocation(definition, groups.get(0));
          return basis.duration(new Allocation(open.offer(), 1, size, 1));
        });
  }

  /** Mean durations and present ranks. */
  private final class Means implements RungTimeline.Model {
    private final PresentRanks ranks;

    Means(RungState rungs) {
      this.ranks = new PresentRanks(rungs, rule.shares());
    }

    @Override
    public double seconds(Train task, int gpus, int instance, boolean starts) {
      double units = (task.to() - task.from()) * duration(gpus).unitS() * basis.pace();
      return units + (starts ? duration(gpus).startupS() : 0);
    }

    @Override
    public double loss(int trial, int rung) {
      return ranks.loss(trial, rung);
    }
  }
}
