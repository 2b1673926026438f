package io.elastune.executor.decision.forecast;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.PoolGroup;
import io.elastune.core.search.PoolTimeline;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.PoolProgress;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Forecasts the rest of a run whose chains share instances: plays it from the present state with
 * mean durations (docs/searches.md, "Shared instances").
 */
final class PoolForecaster {
  private static final double SECONDS_PER_HOUR = 3600;

  private final RunDefinition definition;
  private final RunState state;
  private final ForecastBasis basis;
  private final PoolProgress progress;
  private final List<LeaseState> held;
  private final List<RestOfChain> rests = new ArrayList<>();

  /**
   * A chain that has not ended.
   *
   * @param running attempts of the group in progress that continue
   * @param waitingUnits units that each of its other trials lacks; empty if it has not started
   */
  private record RestOfChain(
      int chain, List<PoolGroup> groups, List<AttemptState> running, List<Integer> waitingUnits) {}

  /** An attempt of a chain, by its index in {@link #rests}, on an instance by its index. */
  private record RunningAttempt(int rest, AttemptState attempt, int instance, int firstGpu) {}

  PoolForecaster(RunDefinition definition, RunState state, ForecastBasis basis) {
    this.definition = definition;
    this.state = state;
    this.basis = basis;
    this.progress = new PoolProgress(definition, state);
    this.held = state.leases().values().stream().filter(LeaseState::held).toList();
    for (int chain = 0; chain < state.chains().size(); chain++) {
      List<PoolGroup> groups = progress.groups(chain);
      if (!groups.isEmpty()) {
        rests.add(rest(chain, groups));
      }
    }
  }

  private RestOfChain rest(int chain, List<PoolGroup> groups) {
    List<AttemptState> running = new ArrayList<>();
    List<Integer> waiting = new ArrayList<>();
    ChainState at = state.chains().get(chain);
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.chain() != chain) {
        continue;
      }
      if ((attempt.isActive() || attempt.done()) && isHeld(attempt)) {
        running.add(attempt);
      } else {
        waiting.add(attempt.done() ? 0 : unitsLeft(chain, attempt.trial()));
      }
    }
    at.waiting().forEach(trial -> waiting.add(unitsLeft(chain, trial)));
    return new RestOfChain(chain, groups, running, waiting);
  }

  private boolean isHeld(AttemptState attempt) {
    return held.stream().anyMatch(lease -> attempt.uses(lease.lease()));
  }

  private int unitsLeft(int chain, int trial) {
    TrialGroup group =
        definition.workload().chains().get(chain).groups().get(state.chains().get(chain).group());
    int checkpoint = state.trials().containsKey(trial) ? state.trials().get(trial).checkpoint() : 0;
    return group.toUnit() - group.resumeUnit(checkpoint);
  }

  RestForecast forecast() {
    if (rests.isEmpty()) {
      return new RestForecast(0, 0);
    }
    Offer offer = progress.offer();
    double[] readyS = new double[held.isEmpty() ? progress.instances() : held.size()];
    double newS = basis.retryInS(0) + offer.queueS().mean() + offer.bootS().mean();
    Arrays.setAll(readyS, i -> held.isEmpty() ? newS : Math.max(0, basis.readyS(held.get(i))));
    PoolTimeline timeline =
        new PoolTimeline(
            rests.stream().map(RestOfChain::groups).toList(),
            offer.gpus(),
            definition.plan().hold(),
            readyS,
            this::seconds);
    for (RunningAttempt one : running()) {
      addRunning(timeline, one);
    }
    double seconds = timeline.run();
    return new RestForecast(seconds, usd(timeline, offer));
  }

  /** The attempts that continue, in the order of their start. */
  private List<RunningAttempt> running() {
    List<RunningAttempt> running = new ArrayList<>();
    for (int rest = 0; rest < rests.size(); rest++) {
      for (AttemptState attempt : rests.get(rest).running()) {
        int instance = 0;
        while (!attempt.uses(held.get(instance).lease())) {
          instance++;
        }
        int gpu = attempt.places().stream().mapToInt(GpuSlot::gpu).min().orElse(0);
        running.add(new RunningAttempt(rest, attempt, instance, gpu));
      }
    }
    running.sort(
        Comparator.comparing((RunningAttempt one) -> one.attempt().startedAt())
            .thenComparingInt(RunningAttempt::instance)
            .thenComparingInt(RunningAttempt::firstGpu));
    return running;
  }

  private void addRunning(PoolTimeline timeline, RunningAttempt one) {
    int gpus = one.attempt().places().size();
    double leftS = basis.leftS(one.attempt(), duration(gpus));
    timeline.addRunning(one.rest(), one.instance(), one.firstGpu(), gpus, leftS);
  }

  private TrialDuration duration(int gpus) {
    Allocation allocation = progress.allocation();
    return basis.speed(new Allocation(allocation.offer(), 1, gpus, 1));
  }

  private double seconds(int rest, int group, int trial, int instance) {
    RestOfChain chain = rests.get(rest);
    int waiting = trial - chain.running().size();
    PoolGroup present = chain.groups().get(group);
    TrialDuration duration = duration(present.gpus());
    if (group == 0 && waiting < chain.waitingUnits().size()) {
      return duration.seconds(chain.waitingUnits().get(waiting), basis.pace());
    }
    return duration.seconds(units(chain.chain(), group), basis.pace());
  }

  /** The units of a group by its index among those that are left. */
  private int units(int chain, int group) {
    List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
    int index = state.chains().get(chain).group() + group;
    return groups.get(Math.min(index, groups.size() - 1)).units();
  }

  private double usd(PoolTimeline timeline, Offer offer) {
    double usd = 0;
    for (int i = 0; i < timeline.releasedS.length; i++) {
      boolean known = i < held.size();
      double runningS =
          known ? basis.runningS(held.get(i)) : basis.retryInS(0) + offer.queueS().mean();
      double usdPerHour =
          known ? held.get(i).usdPerHour() : state.usdPerHour(definition, offer.name());
      double billedS = Math.max(0, timeline.releasedS[i] - Math.max(0, runningS));
      usd += billedS * usdPerHour / SECONDS_PER_HOUR;
    }
    return usd;
  }
}
