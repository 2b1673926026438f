package io.elastune.executor.decision.model;

import io.elastune.core.time.Seconds;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.PreparationStep;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of one lease.
 *
 * @param lease its id
 * @param number number in order of request, over the whole run
 * @param pool the index of the chain that holds it; 0 if all chains share their instances
 * @param group the group that requested it
 * @param offer the offer's name
 * @param usdPerHour its price in USD per hour, even if the offer's price changes later; the charged
 *     price once the cloud reports it
 * @param allowedS the longest time, in seconds, for which its node was allowed to run from its own
 *     start, as long as the start is not known; infinite if it was not limited
 * @param hiddenS seconds by which more time may have passed since its request than the times of the
 *     run show, because they are of different clocks
 * @param use when trials ran on it
 * @param loss why it was lost, or will be by the cloud's notice; empty if it was not
 * @param failedStep the step at which its node failed to become ready; empty if it did not fail
 */
@RecordBuilder
public record LeaseState(
    String lease,
    int number,
    int pool,
    String group,
    String offer,
    double usdPerHour,
    Phase phase,
    Instant requestedAt,
    double allowedS,
    double hiddenS,
    Optional<Instant> runningAt,
    Optional<Instant> readyAt,
    Optional<Instant> releasedAt,
    Optional<Instant> terminatedAt,
    Optional<Node> node,
    LeaseUse use,
    Optional<LossReason> loss,
    Optional<PreparationStep> failedStep) {
  /** Seconds during which the billing start of an ended lease is queried repeatedly. */
  private static final double SETTLED_AFTER_S = 120;

  /** The allowed time is noted in steps of at least this, so that few ticks change the state. */
  private static final double ALLOWED_STEP_S = 1;

  /** The phase of a lease. */
  public enum Phase {
    PENDING,
    BOOTING,
    READY,
    /** The cloud will preempt it: its trials write checkpoints and move to other instances. */
    LEAVING,
    /** Its controller has stopped, and the cloud was queried for its state. */
    INHERITED,
    /** Its release is requested and not confirmed. */
    RELEASING,
    /** The cloud has confirmed that it is terminated or was never launched. */
    GONE
  }

  /** Whether the run holds it and has not released it. */
  public boolean held() {
    return phase != Phase.RELEASING && phase != Phase.GONE;
  }

  public boolean isReady() {
    return phase == Phase.READY;
  }

  /** Whether it has ended, and the cloud has not reported a billing start but may still do so. */
  public boolean isUnsettled(Instant now) {
    return phase == Phase.GONE
        && runningAt.isEmpty()
        && terminatedAt
            .filter(at -> at.isAfter(requestedAt) && Seconds.between(at, now) < SETTLED_AFTER_S)
            .isPresent();
  }

  /**
   * Whether it may have been billed for a time that was not reported: it existed when it was
   * released.
   */
  public boolean mayBeBilled(Instant now) {
    return releasedAt.isPresent() && isUnsettled(now);
  }

  /**
   * Whether the cloud refused it or never launched it, so that nothing is billed. One that was
   * released before it ran may have existed.
   */
  public boolean neverExisted() {
    return phase == Phase.GONE && runningAt.isEmpty() && releasedAt.isEmpty();
  }

  /** Returns the state of a refused lease, which never existed. */
  public LeaseState refused() {
    return gone(requestedAt, requestedAt, 0);
  }

  /** Whether the cloud has not answered the query for its state yet. */
  public boolean isInherited() {
    return phase == Phase.INHERITED;
  }

  /** Whether an answer of the cloud about it is pending after a resume. */
  public boolean isUnanswered() {
    return isInherited() || phase == Phase.RELEASING;
  }

  /**
   * Whether only an earlier controller's request for it is known: it was never reported as running,
   * and the cloud has not answered yet.
   */
  public boolean isUnconfirmed() {
    return isInherited() && runningAt.isEmpty();
  }

  /** Returns the state after the cloud reported the billing start, possibly after the end. */
  public LeaseState running(Instant at) {
    Phase next = phase == Phase.PENDING ? Phase.BOOTING : phase;
    return LeaseStateBuilder.builder(this).phase(next).runningAt(Optional.of(at)).build();
  }

  public LeaseState ready(Node where, Instant at) {
    Optional<Instant> since = Optional.of(readyAt.orElse(at));
    return LeaseStateBuilder.builder(this)
        .phase(Phase.READY)
        .readyAt(since)
        .node(Optional.of(where))
        .build();
  }

  /** Whether the cloud has announced its preemption. */
  public boolean isLeaving() {
    return phase == Phase.LEAVING;
  }

  public LeaseState leaving() {
    return LeaseStateBuilder.builder(lost(LossReason.PREEMPTED)).phase(Phase.LEAVING).build();
  }

  /** Whether its node failed before it became ready. */
  public boolean failedToBoot() {
    return failedStep.isPresent()
        || (readyAt.isEmpty() && loss.filter(reason -> reason != LossReason.PREEMPTED).isPresent());
  }

  /** Returns the state after a step that prepares its node has failed. */
  public LeaseState failed(PreparationStep step) {
    return LeaseStateBuilder.builder(this).failedStep(Optional.of(step)).build();
  }

  /** Returns the state with the first reason why it was lost. */
  public LeaseState lost(LossReason reason) {
    return LeaseStateBuilder.builder(this).loss(Optional.of(loss.orElse(reason))).build();
  }

  public LeaseState inherited() {
    return LeaseStateBuilder.builder(this).phase(Phase.INHERITED).build();
  }

  /** Whether its node may run, or have run, although its start is not known. */
  public boolean mayRunUnreported() {
    return terminatedAt.isEmpty() && runningAt.isEmpty();
  }

  /** Returns the state after its node was allowed to run for {@code seconds} from its own start. */
  public LeaseState allowed(double seconds) {
    return seconds <= allowedS
        ? this
        : LeaseStateBuilder.builder(this).allowedS(seconds + ALLOWED_STEP_S).build();
  }

  /**
   * Returns the state after the clock that has shown the time of its request has changed, or
   * another controller has taken over.
   *
   * @param aheadS seconds by which the clock may have been ahead of the cloud's at the request
   */
  public LeaseState byEarlierClock(double aheadS) {
    return hiddenS > 0
        ? this
        : LeaseStateBuilder.builder(this).hiddenS(aheadS + ClockError.MOST_S).build();
  }

  /** Returns until when its node may have run, as long as its start is not known. */
  public Instant mayHaveRunUntil(Instant now) {
    Instant latest = Seconds.after(now, hiddenS);
    return allowedS > Seconds.between(requestedAt, latest)
        ? latest
        : Seconds.after(requestedAt, allowedS);
  }

  public static LeaseState requested(
      String lease,
      int number,
      int pool,
      String group,
      String offer,
      double usdPerHour,
      Instant at) {
    return new LeaseState(
        lease,
        number,
        pool,
        group,
        offer,
        usdPerHour,
        Phase.PENDING,
        at,
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        LeaseUse.NONE,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Returns the state after its release was requested. Trials on an instance that the controller
   * does not reach use it until it ends.
   */
  public LeaseState releasing(Instant at) {
    return LeaseStateBuilder.builder(this)
        .phase(Phase.RELEASING)
        .releasedAt(Optional.of(at))
        .build();
  }

  /**
   * Returns the state after the cloud has reported its end.
   *
   * @param at the time of the cloud
   * @param now the time of the controller, until which trials were taken to use it
   * @param aheadS seconds by which the controller's clock may be ahead of the cloud's
   */
  public LeaseState gone(Instant at, Instant now, double aheadS) {
    return LeaseStateBuilder.builder(this)
        .phase(Phase.GONE)
        .terminatedAt(Optional.of(at))
        .use(use.until(now, aheadS))
        .build();
  }

  /** Returns the state with another use by trials. */
  public LeaseState with(LeaseUse other) {
    return LeaseStateBuilder.builder(this).use(other).build();
  }

  /** Returns the state with the price that the cloud charges. */
  public LeaseState priced(double usd) {
    return LeaseStateBuilder.builder(this).usdPerHour(usd).build();
  }
}
