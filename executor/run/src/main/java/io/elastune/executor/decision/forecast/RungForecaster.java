package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungProgress.IssuedTask;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchEvent;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.executor.decision.forecast.ForecastBasis.TrialKey;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import java.util.List;

/**
 * Forecasts the rest of a search made of rungs: plays it from the present state, with {@link
 * PresentRanks}.
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
    Allocation open = state.allocation(definition, groups.get(0));
    Allocation closing = state.allocation(definition, groups.get(1));
    Offer offer = definition.offer(open.offer());
    SharedInstances instances = new SharedInstances(basis, offer);
    RungProgress progress = present.progress();
    RungState rungs = withInterrupted(progress);
    double[] readyS = instances.readyS(present(open, closing, rungs).instances());
    PhaseSizes.Plan sizes =
        new PhaseSizes.Plan(
            offer.gpus(),
            new PhaseSizes.Phase(used(open, readyS.length), open.gpusPerTrial()),
            new PhaseSizes.Phase(closing.instances(), closing.gpusPerTrial()),
            definition.plan().hold());
    RungsRun search = new RungsRun(rule, rungs, rule.newUnitS());
    ListPolicy policy =
        new ListPolicy(search, new PhaseSizes(sizes, search, readyS.length), offer.gpus());
    Timeline timeline =
        new Timeline(
            search, policy, new Times(rungs, offer), instances.times(readyS), offer.gpus());
    if (definition.keepAlive()) {
      var unused = search.withPlaces();
      var unusedToo = timeline.withPlaces(true);
    }
    definition.searchStopS().ifPresent(stopS -> timeline.stoppedAt(stopS - state.elapsedS()));
    timeline.begin();
    if (definition.keepAlive()) {
      PastPlaces.ofRungs(state, basis.held(), search).record(timeline);
    }
    for (IssuedTask task : progress.tasks()) {
      if (task.runs()) {
        timeline.addRunning(
            search.running(task.task()),
            task.instance(),
            task.firstGpu(),
            task.gpus(),
            task.leftS());
      }
    }
    double endS = timeline.play();
    return new RestForecast(endS, instances.usd(timeline));
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
  private RungState withInterrupted(RungProgress progress) {
    RungSearch search = new RungSearch(rule);
    RungState after = progress.state();
    for (IssuedTask task : progress.tasks()) {
      if (!task.runs()) {
        after = search.step(after, new SearchEvent.Interrupted(task.task().trial())).state();
      }
    }
    return after;
  }

  /** Durations and present ranks. */
  private final class Times implements TrialTimes {
    private final PresentRanks ranks;
    private final Offer offer;

    Times(RungState rungs, Offer offer) {
      this.ranks = new PresentRanks(rungs, rule.shares());
      this.offer = offer;
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      TrialDuration duration = present.duration(task.gpus());
      TrialKey key = new TrialKey(offer, CHAIN, task.group(), task.trial());
      double unitS = basis.unitS(duration, task.units() - task.done(), key);
      double startupS = starts ? basis.startupS(duration, key) : 0;
      task.trains(startupS, unitS * instance.slowness());
    }

    @Override
    public double loss(Task task) {
      return ranks.loss(task.trial(), task.group());
    }
  }
}
