package io.elastune.executor.decision.forecast;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Forecasts the rest of a run whose chains have instances of their own and whose groups end at
 * barriers: plays the group in progress; later groups take the predicted time, corrected by the
 * measured speed. Needs the profiles ({@link RunDefinition#planning}).
 */
public final class ChainForecaster implements Forecaster {
  private final ForecastBasis basis;
  private final RunDefinition definition;
  private final RunState state;

  public ChainForecaster(ForecastBasis basis) {
    this.basis = basis;
    this.definition = basis.definition();
    this.state = basis.state();
  }

  @Override
  public RestForecast forecast() {
    return RestForecast.ofChains(state.chains().size(), this::chain);
  }

  private RestForecast chain(int chain) {
    List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
    ChainState at = state.chains().get(chain);
    RestForecast rest = RestForecast.NONE;
    for (int i = at.group(); i < groups.size(); i++) {
      boolean underWay = i == at.group() && at.started().size() > i;
      rest = rest.then(underWay ? present(chain) : later(groups, i, at));
    }
    return rest;
  }

  private RestForecast present(int chain) {
    double seconds = groupLeftS(chain);
    return new RestForecast(seconds, basis.heldUsd(chain, seconds));
  }

  /**
   * Returns the seconds until the group in progress ends, by list scheduling on the instances of
   * the chain (docs/decisions/0015).
   */
  public double groupLeftS(int chain) {
    TrialGroup group = group(chain);
    Allocation allocation = state.allocation(definition, group);
    TrialDuration trialDuration = basis.duration(group, allocation);
    PriorityQueue<Double> slots = slots(chain, allocation);
    double last = 0;
    PriorityQueue<Double> busy = new PriorityQueue<>();
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.chain() == chain && attempt.isActive()) {
        slots.poll();
        double left = basis.leftS(attempt, trialDuration);
        busy.add(left);
        last = Math.max(last, left);
      }
    }
    slots.addAll(busy);
    for (int units : unitsOfWaiting(chain, group)) {
      double free = slots.isEmpty() ? 0 : slots.remove();
      double end = free + trialDuration.seconds(units, basis.pace());
      slots.add(end);
      last = Math.max(last, end);
    }
    return last;
  }

  private TrialGroup group(int chain) {
    int index = state.chains().get(chain).group();
    return definition.workload().chains().get(chain).groups().get(index);
  }

  /**
   * For each slot of the instances that are held or must be requested: the seconds until it can
   * take a trial.
   */
  private PriorityQueue<Double> slots(int chain, Allocation allocation) {
    Offer offer = definition.offer(allocation.offer());
    List<Double> ready =
        state.leases().values().stream()
            .filter(lease -> lease.pool() == chain && lease.held())
            .filter(lease -> lease.offer().equals(offer.name()))
            .map(lease -> Math.max(0, basis.readyS(lease)))
            .sorted()
            .toList();
    int size = SlotCounts.teamSize(offer, allocation);
    PriorityQueue<Double> slots = new PriorityQueue<>();
    for (int last = size - 1; last < ready.size(); last += size) {
      for (int i = 0; i < SlotCounts.trialsPerTeam(offer, allocation); i++) {
        slots.add(ready.get(last));
      }
    }
    if (slots.isEmpty()) {
      double readyS = basis.newReadyS(chain, offer);
      for (int i = 0; i < SlotCounts.concurrentTrials(offer, allocation); i++) {
        slots.add(readyS);
      }
    }
    return slots;
  }

  /** For each trial that waits for a slot, or will wait again: the units that it lacks. */
  private List<Integer> unitsOfWaiting(int chain, TrialGroup group) {
    List<Integer> waiting = new ArrayList<>(state.chains().get(chain).waiting());
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.chain() == chain && !attempt.isActive() && !attempt.done()) {
        waiting.add(attempt.trial());
      }
    }
    return waiting.stream().map(trial -> basis.unitsLeft(group, trial)).toList();
  }

  private RestForecast later(List<TrialGroup> groups, int index, ChainState at) {
    TrialGroup group = groups.get(index);
    double seconds = laterS(groups, index, at.trialsToTrain(group, state.trials()));
    Allocation allocation = state.allocation(definition, group);
    double usd =
        prediction(group)
            .filter(forecast -> forecast.seconds() > 0)
            .map(forecast -> forecast.usd() * seconds / forecast.seconds() * dearer(group))
            .orElseGet(() -> basis.allocationUsd(allocation, seconds));
    return new RestForecast(seconds, usd);
  }

  /** {@code trials}: the number of trials that will be trained. */
  private double laterS(List<TrialGroup> groups, int index, int trials) {
    if (trials == 0) {
      return 0;
    }
    TrialGroup group = groups.get(index);
    Allocation allocation = state.allocation(definition, group);
    Offer offer = definition.offer(allocation.offer());
    TrialDuration trialDuration = basis.duration(group, allocation);
    int waves = SlotCounts.waves(offer, allocation, trials);
    Optional<RunDefinition.Forecast> forecast = prediction(group);
    if (forecast.isPresent()) {
      int fewerWaves = SlotCounts.waves(offer, allocation, group.trials()) - waves;
      double fewerS = fewerWaves * trialDuration.seconds(group.units(), 1);
      double startupS =
          TrialsAtOnce.of(basis.profile(allocation), group, offer, allocation).startupS().mean();
      return Math.max(0, forecast.get().seconds() - fewerS)
          + (basis.pace() - 1) * waves * group.units() * trialDuration.unitS()
          + waves * (trialDuration.startupS() - startupS);
    }
    boolean rents =
        index == 0 || rents(state.allocation(definition, groups.get(index - 1)), allocation);
    double launchS = rents ? ForecastBasis.launchS(offer) : 0;
    return launchS + waves * trialDuration.seconds(group.units(), basis.pace());
  }

  /** The prediction of the plan for a group whose allocation has not changed since. */
  private Optional<RunDefinition.Forecast> prediction(TrialGroup group) {
    return state.steering().changed().containsKey(group.name())
        ? Optional.empty()
        : Optional.ofNullable(definition.forecasts().get(group.name()));
  }

  private static boolean rents(Allocation before, Allocation now) {
    return !before.offer().equals(now.offer()) || now.instances() > before.instances();
  }

  /** The ratio of the present price of the group's instances to the planned price. */
  private double dearer(TrialGroup group) {
    String offer = definition.plan().of(group).offer();
    double planned = definition.offer(offer).usdPerHour();
    return planned > 0 ? state.usdPerHour(definition, offer) / planned : 1;
  }
}
