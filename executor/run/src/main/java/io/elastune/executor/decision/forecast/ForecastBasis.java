package io.elastune.executor.decision.forecast;

import static io.elastune.core.billing.Billing.SECONDS_PER_HOUR;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.CapacityWait;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import io.elastune.executor.decision.model.TrialState;
import java.time.Instant;
import java.util.List;

/**
 * The expected durations, in seconds from now, and costs in the present state of a run. Trials are
 * as fast as measured so far.
 */
public final class ForecastBasis {
  private final RunDefinition definition;
  private final RunState state;
  private final double pace;
  private final double startupShiftS;
  private final int reportUnits;

  public ForecastBasis(RunDefinition definition, RunState state) {
    this.definition = definition;
    this.state = state;
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

  /** Returns the measured ratio of the seconds per unit to those of the profile. */
  double pace() {
    return pace;
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

  /**
   * Returns the seconds that an attempt still needs: at least the units after its next report, if
   * the interval of reports is known.
   */
  double leftS(AttemptState attempt, TrialDuration duration) {
    return leftS(attempt, duration.startupS(), duration.unitS() * pace, reportUnits);
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
    double firstS = attempt.lastUnit() == attempt.from() ? startupS : 0;
    double silenceS = Math.max(0, Seconds.between(attempt.lastSign(), state.now()));
    int later = everyUnits == 0 ? 0 : Math.max(0, units - everyUnits);
    return Math.max(later * unitS, firstS + units * unitS - silenceS);
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
  double newReadyS(int chain, Offer offer) {
    return retryInS(chain) + offer.queueS().mean() + offer.bootS().mean();
  }

  /** Returns the seconds from the request of an instance until it is ready. */
  static double launchS(Offer offer) {
    return offer.queueS().mean() + offer.bootS().mean();
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
      return launchS(offer);
    }
    if (lease.isReady() || lease.isInherited()) {
      return Seconds.between(state.now(), lease.readyAt().orElse(state.now()));
    }
    return runningS(lease) + offer.bootS().mean();
  }

  /** Returns the seconds from now until an instance is billed; negative for one that is late. */
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

  /** Returns the cost in USD of the instances that a chain holds, for the next seconds. */
  double heldUsd(int chain, double seconds) {
    double usd = 0;
    for (LeaseState lease : state.leases().values()) {
      if (lease.pool() == chain && lease.held()) {
        usd += usd(seconds, runningS(lease), lease.usdPerHour());
      }
    }
    return usd;
  }

  /** Returns the cost in USD of all instances of an allocation for {@code seconds}. */
  double allocationUsd(Allocation allocation, double seconds) {
    double usdPerHour = state.usdPerHour(definition, allocation.offer());
    return allocation.instances() * usdPerHour * seconds / SECONDS_PER_HOUR;
  }

  /** Returns the cost in USD of an instance that is released in {@code releasedS} seconds. */
  static double usd(double releasedS, double runningS, double usdPerHour) {
    return Math.max(0, releasedS - Math.max(0, runningS)) * usdPerHour / SECONDS_PER_HOUR;
  }
}
