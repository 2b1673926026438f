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
 * @param usedS seconds in which a trial ran on it, up to the last change
 * @param busySince since when a trial has been running on it
 */
public record LeaseState(
    String lease,
    int number,
    int chain,
    String group,
    String offer,
    Phase phase,
    Instant requestedAt,
    Optional<Instant> runningAt,
    Optional<Instant> readyAt,
    Optional<Instant> releasedAt,
    Optional<Instant> terminatedAt,
    Optional<Node> node,
    double usedS,
    Optional<Instant> busySince) {
  /** Where a lease stands. */
  public enum Phase {
    PENDING,
    BOOTING,
    READY,
    /** Release has been asked for and is not confirmed. */
    RELEASING,
    /** The cloud has said that it is no more, or never was. */
    GONE
  }

  /** Whether it can take trials now or later. */
  public boolean held() {
    return phase == Phase.PENDING || phase == Phase.BOOTING || phase == Phase.READY;
  }

  public boolean isReady() {
    return phase == Phase.READY;
  }

  static LeaseState requested(
      String lease, int number, int chain, String group, String offer, Instant at) {
    return new LeaseState(
        lease,
        number,
        chain,
        group,
        offer,
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

  LeaseState running(Instant at) {
    return with(Phase.BOOTING, Optional.of(at), readyAt, releasedAt, terminatedAt, node);
  }

  LeaseState ready(Node where, Instant at) {
    return with(
        Phase.READY, runningAt, Optional.of(at), releasedAt, terminatedAt, Optional.of(where));
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
    double more = busySince.map(since -> Seconds.between(since, at)).orElse(0.0);
    return used(usedS + more, Optional.empty());
  }

  private LeaseState used(double seconds, Optional<Instant> since) {
    return new LeaseState(
        lease,
        number,
        chain,
        group,
        offer,
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
