package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungProgress.IssuedTask;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.RungTimeline;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.SearchEvent;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.util.List;

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
  private final PresentTasks present;

  RungForecaster(ForecastBasis basis) {
    this.basis = basis;
    this.definition = basis.definition();
    this.state = basis.state();
    this.rule = definition.workload().rungs().orElseThrow();
    this.groups = definition.workload().chains().get(CHAIN).groups();
    this.present = new PresentTasks(basis);
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
    RungProgress progress = present.progress();
    RungState rungs = withInterrupted(search, progress);
    double[] readyS = instances.readyS(present(open, closing, rungs).instances());
    RungTimeline.Pool pool =
        new RungTimeline.Pool(
            offer.gpus(),
            new RungTimeline.PhaseSize(used(open, readyS.length), open.gpusPerTrial()),
            new RungTimeline.PhaseSize(closing.instances(), closing.gpusPerTrial()),
            definition.plan().hold());
    RungTimeline timeline = new RungTimeline(search, rungs, pool, readyS, new Means(rungs));
    definition
        .searchStopS()
        .ifPresent(stopS -> timeline.stopAt(stopS - state.elapsedS(), rule.newUnitS()));
    progress.tasks().stream()
        .filter(IssuedTask::runs)
        .forEach(
            task ->
                timeline.addRunning(
                    task.task(), task.instance(), task.firstGpu(), task.gpus(), task.leftS()));
    timeline.run();
    return new RestForecast(timeline.endS(), instances.usd(timeline.releasedS));
  }

  /** All that are held, unless a new plan has fewer. */
  private int used(Allocation open, int held) {
    boolean changed = state.steering().changed().containsKey(groups.get(0).name());
    return changed ? open.instances() : Math.max(open.instances(), held);
  }

  private static Allocation present(Allocation open, Allocation closing, RungState rungs) {
    return rungs.phase() == RungState.Phase.OPEN ? open : closing;
  }

  /** Tasks that do not run start again. */
  private static RungState withInterrupted(RungSearch search, RungProgress progress) {
    RungState after = progress.state();
    for (IssuedTask task : progress.tasks()) {
      if (!task.runs()) {
        after = search.step(after, new SearchEvent.Interrupted(task.task().trial())).state();
      }
    }
    return after;
  }

  /** Mean durations and present ranks. */
  private final class Means implements RungTimeline.Model {
    private final PresentRanks ranks;

    Means(RungState rungs) {
      this.ranks = new PresentRanks(rungs, rule.shares());
    }

    @Override
    public double seconds(Train task, int gpus, int instance, boolean starts) {
      double units = (task.to() - task.from()) * present.duration(gpus).unitS() * basis.pace();
      return units + (starts ? present.duration(gpus).startupS() : 0);
    }

    @Override
    public double loss(int trial, int rung) {
      return ranks.loss(trial, rung);
    }
  }
}
