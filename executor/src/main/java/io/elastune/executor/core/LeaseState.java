package io.elastune.executor.core;

import io.elastune.core.time.Seconds;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.Optional;

/**
 * One lease as the core knows it.
 *
 * @param lease its id
 * @param number in order of request, over the whole run
 * @param chain the index of the chain that holds it
 * @param group the group that requested it
 * @param offer the offer's name
 * @param usdPerHour its price, also if the offer's changes later: the cloud's own, once it is told
 * @param usedS seconds in which a trial ran on it, up to the last change
 * @param busySince since when a trial has been running on it
 */
public record LeaseState(
    String lease,
    int number,
    int chain,
    String group,
    String offer,
    double usdPerHour,
    Phase phase,
    Instant requestedAt,
    Optional<Instant> runningAt,
    Optional<Instant> readyAt,
    Optional<Instant> releasedAt,
    Optional<Instant> terminatedAt,
    Optional<Node> node,
    double usedS,
    Optional<Instant> busySince) {
  /** Seconds in which what an ended lease was billed for is asked about again and again. */
  private static final double SETTLED_AFTER_S = 120;

  /** Where a lease stands. */
  public enum Phase {
    PENDING,
    BOOTING,
    READY,
    /** The cloud is about to take it back: what runs on it is to save and go on elsewhere. */
    LEAVING,
    /** Its controller is gone, and the cloud has been asked what has become of it. */
    INHERITED,
    /** Release has been asked for and is not confirmed. */
    RELEASING,
    /** The cloud has said that it is no more, or never was. */
    GONE
  }

  /** Whether it is ours, and not on its way out by our own wish. */
  public boolean held() {
    return phase != Phase.RELEASING && phase != Phase.GONE;
  }

  public boolean isReady() {
    return phase == Phase.READY;
  }

  /**
   * Whether it has ended, and the cloud has neither said that billing ever began, nor had the time
   * to say so after it was asked.
   */
  boolean isUnsettled(Instant now) {
    return phase == Phase.GONE
        && runningAt.isEmpty()
        && terminatedAt
            .filter(at -> at.isAfter(requestedAt) && Seconds.between(at, now) < SETTLED_AFTER_S)
            .isPresent();
  }

  /** Whether what has not been told of it may have cost something: it was there to be released. */
  boolean mayBeBilled(Instant now) {
    return releasedAt.isPresent() && isUnsettled(now);
  }

  /** The cloud has refused it: it never was. */
  LeaseState refused() {
    return gone(requestedAt);
  }

  /** Whether the cloud has still to say what has become of it. */
  public boolean isInherited() {
    return phase == Phase.INHERITED;
  }

  /** The cloud says when billing began; it may say so after the end. */
  LeaseState running(Instant at) {
    Phase next = phase == Phase.PENDING ? Phase.BOOTING : phase;
    return with(next, Optional.of(at), readyAt, releasedAt, terminatedAt, node);
  }

  LeaseState ready(Node where, Instant at) {
    Optional<Instant> since = Optional.of(readyAt.orElse(at));
    return with(Phase.READY, runningAt, since, releasedAt, terminatedAt, Optional.of(where));
  }

  /** Whether the cloud has given notice that it takes it back. */
  public boolean isLeaving() {
    return phase == Phase.LEAVING;
  }

  LeaseState leaving() {
    return with(Phase.LEAVING, runningAt, readyAt, releasedAt, terminatedAt, node);
  }

  LeaseState inherited() {
    return with(Phase.INHERITED, runningAt, readyAt, releasedAt, terminatedAt, node);
  }

  static LeaseState requested(
      String lease,
      int number,
      int chain,
      String group,
      String offer,
      double usdPerHour,
      Instant at) {
    return new LeaseState(
        lease,
        number,
        chain,
        group,
        offer,
        usdPerHour,
        Phase.PENDING,
        at,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty());
  }

  LeaseState releasing(Instant at) {
    return with(Phase.RELEASING, runningAt, readyAt, Optional.of(at), terminatedAt, node);
  }

  LeaseState gone(Instant at) {
    return with(Phase.GONE, runningAt, readyAt, releasedAt, Optional.of(at), node);
  }

  LeaseState busy(Instant at) {
    return used(usedS, Optional.of(busySince.orElse(at)));
  }

  LeaseState idle(Instant at) {
    double more = busySince.map(since -> Math.max(0, Seconds.between(since, at))).orElse(0.0);
    return used(usedS + more, Optional.empty());
  }

  /** At the price that the cloud really charges. */
  LeaseState priced(double usd) {
    return new LeaseState(
        lease,
        number,
        chain,
        group,
        offer,
        usd,
        phase,
        requestedAt,
        runningAt,
        readyAt,
        releasedAt,
        terminatedAt,
        node,
        usedS,
        busySince);
  }

  private LeaseState used(double seconds, Optional<Instant> since) {
    return new LeaseState(
        lease,
        number,
        chain,
        group,
        offer,
        usdPerHour,
        phase,
        requestedAt,
        runningAt,
        readyAt,
        releasedAt,
        terminatedAt,
        node,
        seconds,
        since);
  }

  private LeaseState with(
      Phase other,
      Optional<Instant> running,
      Optional<Instant> ready,
      Optional<Instant> released,
      Optional<Instant> terminated,
      Optional<Node> where) {
    return new LeaseState(
        lease,
        number,
        chain,
        group,
        offer,
        usdPerHour,
        other,
        requestedAt,
        running,
        ready,
        released,
        terminated,
        where,
        usedS,
        busySince);
  }
}
