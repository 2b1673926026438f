package io.elastune.executor.decision.forecast;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.CapacityWait;
import io.elastune.executor.decision.model.ChainState;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Forecasts the remaining time and cost of a run from its present state, with every duration at its
 * mean and trials as fast as measured so far. Needs the profiles ({@link RunDefinition#planning}),
 * except under a scheduling policy, which has its own times.
 */
public final class RunForecaster implements ForecastBasis {
  private static final double SECONDS_PER_HOUR = 3600;

  private final RunDefinition definition;
  private final RunState state;
  private final double pace;
  private final double startupShiftS;
  private final int reportUnits;
  private Optional<RestForecast> restForecast = Optional.empty();

  public RunForecaster(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
    this.pace = state.steering().pace().factor();
    this.startupShiftS = state.steering().pace().startupShiftS();
    this.reportUnits = state.steering().pace().reportUnits();
  }

  /** Returns the seconds, or the USD, until the chain's last group ends. */
  double remaining(int chain, boolean money) {
    if (definition.plan().shared() && chain > 0) {
      return 0; // the first chain stands for all
    }
    if (definition.workload().rungs().isPresent()
        || definition.plan().shared()
        || definition.dividesInstances()) {
      RestForecast rest = together();
      return money ? rest.usd() : rest.seconds();
    }
    List<TrialGroup> groups = definition.workload().chains().get(chain).groups();
    ChainState at = state.chains().get(chain);
    double rest = 0;
    for (int i = at.group(); i < groups.size(); i++) {
      boolean underWay = i == at.group() && at.started().size() > i;
      if (underWay) {
        rest += money ? groupLeftUsd(chain) : groupLeftS(chain);
      } else {
        int trials = at.trialsToTrain(groups.get(i), state.trials());
        rest += money ? laterUsd(groups, i, trials) : laterS(groups, i, trials);
      }
    }
    return rest;
  }

  /** Seconds until the group in progress ends, by list scheduling on the instances of the chain. */
  public double groupLeftS(int chain) {
    TrialGroup group = group(chain);
    Allocation allocation = state.allocation(definition, group);
    TrialDuration trialDuration = speed(group, allocation);
    PriorityQueue<Double> slots = slots(chain, allocation);
    double last = 0;
    PriorityQueue<Double> busy = new PriorityQueue<>();
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.chain() == chain && attempt.isActive()) {
        slots.poll();
        double left = leftS(attempt, trialDuration);
        busy.add(left);
        last = Math.max(last, left);
      }
    }
    slots.addAll(busy);
    for (int from : unitsOfWaiting(chain, group)) {
      double free = slots.isEmpty() ? 0 : slots.remove();
      double end = free + trialDuration.seconds(group.toUnit() - from, pace);
      slots.add(end);
      last = Math.max(last, end);
    }
    return last;
  }

  /** The forecast of a search made of rungs, or of chains that share instances. */
  private RestForecast together() {
    if (restForecast.isEmpty()) {
      restForecast = Optional.of(playTogether());
    }
    return restForecast.get();
  }

  private RestForecast playTogether() {
    if (definition.dividesInstances()) {
      return new PolicyForecaster(definition, state, this).forecast();
    }
    return definition.plan().shared()
        ? new PoolForecaster(definition, state, this).forecast()
        : new RungForecaster(definition, state, this).forecast();
  }

  @Override
  public double pace() {
    return pace;
  }

  private TrialGroup group(int chain) {
    int index = state.chains().get(chain).group();
    return definition.workload().chains().get(chain).groups().get(index);
  }

  @Override
  public TrialDuration speed(Allocation allocation) {
    return TrialDuration.of(profile(allocation), allocation).withStartupShift(startupShiftS);
  }

  private TrialDuration speed(TrialGroup group, Allocation allocation) {
    Offer offer = definition.offer(allocation.offer());
    return TrialDuration.of(group, offer, profile(allocation), allocation)
        .withStartupShift(startupShiftS);
  }

  private Profile profile(Allocation allocation) {
    return definition
        .profile(definition.offer(allocation.offer()))
        .orElseThrow(() -> new IllegalStateException("no profile for " + allocation.offer()));
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
            .map(lease -> Math.max(0, readyS(lease)))
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
      double readyS = retryInS(chain) + offer.queueS().mean() + offer.bootS().mean();
      for (int i = 0; i < SlotCounts.concurrentTrials(offer, allocation); i++) {
        slots.add(readyS);
      }
    }
    return slots;
  }

  /** Seconds until a chain without capacity requests its instances again. */
  @Override
  public double retryInS(int chain) {
    CapacityWait wait = state.steering().market().waits().get(chain);
    return wait == null
        ? 0
        : wait.retryAt().map(at -> Math.max(0, Seconds.between(state.now(), at))).orElse(0.0);
  }

  /** Seconds from now until an instance is expected to be ready; negative for one that is late. */
  @Override
  public double readyS(LeaseState lease) {
    Offer offer = definition.offer(lease.offer());
    if (lease.isLeaving()) { // a replacement is requested
      return offer.queueS().mean() + offer.bootS().mean();
    }
    if (lease.isReady() || lease.isInherited()) {
      return Seconds.between(state.now(), lease.readyAt().orElse(state.now()));
    }
    return runningS(lease) + offer.bootS().mean();
  }

  /** Seconds from now until an instance is billed; negative for one that is late. */
  @Override
  public double runningS(LeaseState lease) {
    Instant expected =
        lease
            .runningAt()
            .orElseGet(
                () ->
                    Seconds.after(
                        lease.requestedAt(), definition.offer(lease.offer()).queueS().mean()));
    return Seconds.between(state.now(), expected);
  }

  /**
   * Seconds that an attempt still needs: at least the units after its next report, if the interval
   * of reports is known.
   */
  @Override
  public double leftS(AttemptState attempt, TrialDuration trialDuration) {
    if (attempt.done()) {
      return 0;
    }
    int units = attempt.to() - attempt.lastUnit();
    double startup = attempt.lastUnit() == attempt.from() ? trialDuration.startupS() : 0;
    double silence = Math.max(0, Seconds.between(attempt.lastSign(), state.now()));
    double unit = trialDuration.unitS() * pace;
    int later = reportUnits == 0 ? 0 : Math.max(0, units - reportUnits);
    return Math.max(later * unit, startup + units * unit - silence);
  }

  /** For each trial that waits for a slot, or will wait again: the unit that it resumes from. */
  private List<Integer> unitsOfWaiting(int chain, TrialGroup group) {
    List<Integer> waiting = new ArrayList<>(state.chains().get(chain).waiting());
    for (AttemptState attempt : state.attempts().values()) {
      if (attempt.chain() == chain && !attempt.isActive() && !attempt.done()) {
        waiting.add(attempt.trial());
      }
    }
    return waiting.stream().map(trial -> group.resumeUnit(checkpoint(trial))).toList();
  }

  private int checkpoint(int trial) {
    TrialState known = state.trials().get(trial);
    return known == null ? 0 : known.checkpoint();
  }

  private double groupLeftUsd(int chain) {
    return heldUsd(chain, groupLeftS(chain));
  }

  @Override
  public double heldUsd(int chain, double seconds) {
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.pool() == chain && lease.held()) {
        double billed = Math.max(0, seconds - Math.max(0, runningS(lease)));
        usd += billed * lease.usdPerHour() / SECONDS_PER_HOUR;
      }
    }
    return usd;
  }

  /** {@code trials}: the number of trials that will be trained. */
  private double laterS(List<TrialGroup> groups, int index, int trials) {
    if (trials == 0) {
      return 0;
    }
    TrialGroup group = groups.get(index);
    Allocation allocation = state.allocation(definition, group);
    Offer offer = definition.offer(allocation.offer());
    TrialDuration trialDuration = speed(group, allocation);
    int waves = SlotCounts.waves(offer, allocation, trials);
    int fewerWaves = SlotCounts.waves(offer, allocation, group.trials()) - waves;
    RunDefinition.Forecast forecast = definition.forecasts().get(group.name());
    if (forecast != null && !state.steering().changed().containsKey(group.name())) {
      double startupS = profile(allocation).startupS().mean();
      return Math.max(0, forecast.seconds() - fewerWaves * trialDuration.seconds(group.units(), 1))
          + (pace - 1) * waves * group.units() * trialDuration.unitS()
          + waves * (trialDuration.startupS() - startupS);
    }
    boolean rents =
        index == 0 || rents(state.allocation(definition, groups.get(index - 1)), allocation);
    double boots = rents ? offer.queueS().mean() + offer.bootS().mean() : 0;
    return boots + waves * trialDuration.seconds(group.units(), pace);
  }

  private static boolean rents(Allocation before, Allocation now) {
    return !before.offer().equals(now.offer()) || now.instances() > before.instances();
  }

  private double laterUsd(List<TrialGroup> groups, int index, int trials) {
    TrialGroup group = groups.get(index);
    double seconds = laterS(groups, index, trials);
    RunDefinition.Forecast forecast = definition.forecasts().get(group.name());
    boolean changed = state.steering().changed().containsKey(group.name());
    if (forecast != null && !changed && forecast.seconds() > 0) {
      return forecast.usd() * seconds / forecast.seconds() * dearer(group);
    }
    Allocation allocation = state.allocation(definition, group);
    double usdPerHour = state.usdPerHour(definition, allocation.offer());
    return allocation.instances() * usdPerHour * seconds / SECONDS_PER_HOUR;
  }

  /** The ratio of the present price of the group's instances to the planned price. */
  private double dearer(TrialGroup group) {
    String offer = definition.plan().of(group).offer();
    double planned = definition.offer(offer).usdPerHour();
    return planned > 0 ? state.usdPerHour(definition, offer) / planned : 1;
  }
}
