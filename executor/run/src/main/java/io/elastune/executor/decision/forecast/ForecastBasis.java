package io.elastune.executor.decision.forecast;

import static io.elastune.core.billing.Billing.SECONDS_PER_HOUR;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Seconds;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.Timeline;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.CapacityWait;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The expected durations, in seconds from now, and costs in the present state of a run. Trials are
 * as fast as measured so far.
 */
public final class ForecastBasis {
  private static final double MOST_OF_UNIT = 0.99;

  private final RunDefinition definition;
  private final RunState state;
  private final double pace;
  private final double startupShiftS;
  private final int reportUnits;
  private final ForecastDraws draws;

  /** Creates the basis of a forecast with mean durations. */
  public ForecastBasis(RunDefinition definition, RunState state) {
    this(definition, state, ForecastDraws.MEANS);
  }

  /** Creates the basis of a sample. */
  ForecastBasis(RunDefinition definition, RunState state, ForecastDraws draws) {
    this.definition = definition;
    this.state = state;
    this.draws = draws;
    this.pace = state.steering().pace().factor();
    this.startupShiftS = state.steering().pace().startupShiftS();
    this.reportUnits = state.steering().pace().reportUnits();
  }

  RunDefinition definition() {
    return definition;
  }

  RunState state() {
    return state;
  }

  /** Returns the random parts of the durations. */
  ForecastDraws draws() {
    return draws;
  }

  /** Returns the profile of the trials on an offer. */
  Optional<Profile> forecastProfile(Offer offer) {
    return definition.forecastProfile(offer);
  }

  /** Returns the duration of a trial that needs no time for checkpoints between units. */
  TrialDuration duration(Allocation allocation) {
    return TrialDuration.of(profile(allocation), allocation).withStartupShift(startupShiftS);
  }

  /** Returns the duration of a trial of {@code group}. */
  TrialDuration duration(TrialGroup group, Allocation allocation) {
    Offer offer = definition.offer(allocation.offer());
    return TrialDuration.of(group, offer, profile(allocation), allocation)
        .withStartupShift(startupShiftS);
  }

  /** Returns the profile for an allocation; a run with re-planning has one for each. */
  Profile profile(Allocation allocation) {
    return definition
        .profile(definition.offer(allocation.offer()))
        .orElseThrow(() -> new IllegalStateException("no profile for " + allocation.offer()));
  }

  /** A trial of a group, on an offer. */
  record TrialKey(Offer offer, int chain, int group, int trial) {}

  /** Returns the seconds until the first unit of an attempt of a trial starts. */
  double startupS(TrialDuration duration, TrialKey of) {
    return duration.startupS()
        * draws.startup(forecastProfile(of.offer()), of.chain(), of.group(), of.trial());
  }

  /** Returns the seconds of each of the next units of a trial. */
  double unitS(TrialDuration duration, int units, TrialKey of) {
    double factor =
        draws.units(forecastProfile(of.offer()), units, false, of.chain(), of.group(), of.trial());
    return duration.unitS() * pace * factor;
  }

  /**
   * Returns the seconds that an attempt still needs: at least the units after its next report, if
   * the interval of reports is known.
   */
  double leftS(AttemptState attempt, TrialDuration duration, TrialKey of) {
    int units = attempt.to() - attempt.lastUnit();
    return leftS(attempt, startupS(duration, of), unitS(duration, units, of), reportUnits);
  }

  /**
   * Returns the seconds that an attempt still needs.
   *
   * @param everyUnits the units that a report covers; 0 if that is unknown
   */
  double leftS(AttemptState attempt, double startupS, double unitS, int everyUnits) {
    if (attempt.done()) {
      return 0;
    }
    int units = attempt.to() - attempt.lastUnit();
    double firstS = attempt.isPastStartup() ? 0 : startupS;
    double silenceS = silenceS(attempt);
    int later = everyUnits == 0 ? 0 : Math.max(0, units - everyUnits);
    return Math.max(later * unitS, firstS + units * unitS - silenceS);
  }

  private double silenceS(AttemptState attempt) {
    return Math.max(0, Seconds.between(attempt.lastSign(), state.now()));
  }

  /**
   * Returns the seconds for which the start-up or the unit of an attempt has lasted. One that takes
   * longer than expected ends soon.
   */
  double begunS(AttemptState attempt, double startupS, double unitS) {
    return Math.min(startupS + MOST_OF_UNIT * unitS, silenceS(attempt));
  }

  /** Whether it matters where trials ran that have instances of their chain. */
  boolean placesMatter() {
    return definition.keepAlive()
        || definition.forecastProfiles().stream().anyMatch(draws::variesInstances);
  }

  /**
   * Returns the trials of a group that continue in the next one; new ones replace some of a
   * population.
   *
   * @param group its index among those of the chain
   * @param trials its number of trials
   * @param next the number of trials of the next group
   */
  int[] continuing(int chain, int group, int trials, int next) {
    int most = Math.min(trials, next);
    int replaced = definition.workload().population().map(rule -> rule.replaced(most)).orElse(0);
    return draws.continuing(chain, group, trials, most - replaced);
  }

  /**
   * Returns the trials of the group in progress that continue in the next one, by their indexes in
   * {@code trials}.
   *
   * @param trials the numbers of its trials, in any order
   */
  int[] continuing(int chain, int group, List<Integer> trials, int next) {
    int[] ascending =
        IntStream.range(0, trials.size())
            .boxed()
            .sorted(Comparator.comparing(trials::get))
            .mapToInt(Integer::intValue)
            .toArray();
    return IntStream.of(continuing(chain, group, ascending.length, next))
        .map(index -> ascending[index])
        .toArray();
  }

  /** Returns the units that a waiting trial lacks to the end of {@code group}. */
  int unitsLeft(TrialGroup group, int trial) {
    TrialState known = state.trials().get(trial);
    return group.toUnit() - group.resumeUnit(known == null ? 0 : known.checkpoint());
  }

  /** Returns the seconds until a chain without capacity requests its instances again. */
  double retryInS(int chain) {
    CapacityWait wait = state.steering().market().waits().get(chain);
    return wait == null
        ? 0
        : wait.retryAt().map(at -> Math.max(0, Seconds.between(state.now(), at))).orElse(0.0);
  }

  /** Returns the seconds until an instance that a chain has yet to request is ready. */
  double newReadyS(int chain, Offer offer, int number) {
    return retryInS(chain) + launchS(offer, number);
  }

  /** Returns the seconds from the request of an instance until it is ready. */
  double launchS(Offer offer, int number) {
    return draws.queueS(offer, number) + draws.bootS(offer, number);
  }

  /** Returns the instances that the run holds, in the order of their requests. */
  List<LeaseState> held() {
    return state.leases().values().stream().filter(LeaseState::held).toList();
  }

  /**
   * Returns the seconds from now until an instance is expected to be ready; negative for one that
   * is late.
   */
  public double readyS(LeaseState lease) {
    Offer offer = definition.offer(lease.offer());
    if (lease.isLeaving()) { // a replacement is requested
      return launchS(offer, lease.number());
    }
    if (lease.isReady() || lease.isInherited()) {
      return Seconds.between(state.now(), lease.readyAt().orElse(state.now()));
    }
    return runningS(lease) + draws.bootS(offer, lease.number());
  }

  /** Returns the seconds from now until an instance is billed; negative for one that is late. */
  public double runningS(LeaseState lease) {
    Instant expected =
        lease
            .runningAt()
            .orElseGet(
                () ->
                    Seconds.after(
                        lease.requestedAt(),
                        draws.queueS(definition.offer(lease.offer()), lease.number())));
    return Seconds.between(state.now(), expected);
  }

  /** Returns the further cost in USD of the instances that a chain uses for the next seconds. */
  double heldUsd(int chain, double seconds) {
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.pool() == chain && lease.held()) {
        usd += leaseUsd(lease, seconds, Math.max(0, seconds - Math.max(0, runningS(lease))));
      }
    }
    return usd;
  }

  /**
   * Returns the further cost in USD of an instance, as it is billed.
   *
   * @param releasedS seconds from now until it is released
   * @param usedS seconds of these in which a trial runs on it
   */
  double leaseUsd(LeaseState lease, double releasedS, double usedS) {
    Offer offer = definition.offer(lease.offer()).withUsdPerHour(lease.usdPerHour());
    double runningS = runningS(lease);
    double beforeS = lease.use().usedS(state.now());
    double elapsedS = lease.runningAt().isPresent() ? Math.max(0, -runningS) : 0;
    double totalUsd = LeaseCost.of(offer, runningS, releasedS, beforeS + usedS).totalUsd();
    return Math.max(0, totalUsd - LeaseCost.accrued(offer, 0, elapsedS, beforeS).totalUsd());
  }

  /** Returns the cost in USD of an instance that is not yet requested, as it is billed. */
  double newUsd(Offer offer, double runningS, double releasedS, double usedS) {
    Offer now = offer.withUsdPerHour(state.usdPerHour(definition, offer.name()));
    return LeaseCost.of(now, runningS, releasedS, usedS).totalUsd();
  }

  /**
   * Returns the further cost in USD of the instances of a timeline that has been played.
   *
   * @param held the instances that the run holds, which come first
   * @param newUsd returns the cost of another one
   */
  double usd(Timeline timeline, List<LeaseState> held, ToDoubleFunction<Instance> newUsd) {
    double usd = 0;
    for (int number = 0; number < timeline.requested(); number++) {
      Instance instance = timeline.instance(number);
      usd +=
          number < held.size()
              ? leaseUsd(held.get(number), instance.releasedS(), instance.usedS())
              : newUsd.applyAsDouble(instance);
    }
    return usd;
  }

  /** Returns the cost in USD of all instances of an allocation for {@code seconds}. */
  double allocationUsd(Allocation allocation, double seconds) {
    double usdPerHour = state.usdPerHour(definition, allocation.offer());
    return allocation.instances() * usdPerHour * seconds / SECONDS_PER_HOUR;
  }
}
