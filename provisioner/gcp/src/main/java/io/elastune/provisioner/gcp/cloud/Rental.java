package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.InsertOrder;
import io.elastune.provisioner.gcp.account.Life;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Operation;
import io.elastune.provisioner.remote.Boot;
import io.elastune.provisioner.remote.NodeWatch;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of one lease. Used in the loop only. */
final class Rental implements NodeWatch.Rented {
  private final String lease;
  private final Optional<LeaseRequest> request;
  private final Boot boot = new Boot();

  Phase phase;

  /** Whether it has not been released yet. */
  boolean wanted = true;

  /** As seen last; what becomes of it never goes back. */
  @Nullable GceInstance instance;

  /** The insertion that is under way, or whose outcome is unknown: repeated to the letter. */
  @Nullable InsertOrder order;

  /** How often an insertion has failed although Google had begun it. */
  int failures;

  /** When the first zone was asked. */
  @Nullable Instant firstTried;

  /** Zones that had no capacity, in their order. */
  final Set<String> refusedBy = new LinkedHashSet<>();

  /** Whether something of ours was about to end when it was last tried. */
  boolean besideEnding;

  /** Before when it is not tried again, for what is just ending uses the quota up. */
  Instant notBefore = Instant.EPOCH;

  /** What Google said when the last zone had no capacity. */
  String refusal = "";

  /** What made the instance, as Google tells of it. */
  @Nullable Operation insertion;

  /** What an earlier controller left, as Google tells of it; null until it has been asked. */
  @Nullable History history;

  boolean historyAsked;

  /** Whether it is to be asked although this process has ordered the instance itself. */
  boolean historyWanted;

  /** Since when Google has been asked in vain, and how often. */
  Instant soughtSince = Instant.EPOCH;

  int looks;

  /** When the instance was last there. */
  Instant shown = Instant.EPOCH;

  boolean closerLook;
  boolean toldRunning;

  boolean toldLost;
  boolean toldLeaving;
  boolean asksWhy;

  /** When its time was put off last, as far as this process knows. */
  @Nullable Instant renewed;

  /** By when it has been told to end, as far as this process knows. */
  @Nullable Instant expires;

  Instant goneAt = Instant.EPOCH;

  /** Where a lease is. */
  enum Phase {
    /** To be made. */
    QUEUED,
    /** The call is under way. */
    INSERTING,
    /** Google has begun to make it; that may fail yet. */
    COMING,
    /** The call has got no answer that tells. */
    UNKNOWN,
    /** Nothing will be made, but something may be there. */
    SEEKING,
    /** There is an instance. */
    RENTED,
    /** Google has said that there is no instance any more, or never was. */
    GONE
  }

  Rental(String lease, Optional<LeaseRequest> request, Phase phase) {
    this.lease = lease;
    this.request = request;
    this.phase = phase;
  }

  @Override
  public String lease() {
    return lease;
  }

  @Override
  public Optional<LeaseRequest> request() {
    return request;
  }

  @Override
  public Boot boot() {
    return boot;
  }

  Optional<String> run() {
    return request.map(LeaseRequest::run);
  }

  /** What its instance is called, wherever it is. */
  String name() {
    return Names.instance(lease);
  }

  boolean in(Phase some) {
    return phase == some;
  }

  /** Whether it cannot yet be told if there is an instance. */
  boolean undecided() {
    return phase == Phase.QUEUED || phase == Phase.INSERTING || phase == Phase.UNKNOWN;
  }

  /** Whether Google is to be asked for it. */
  boolean open() {
    return phase != Phase.GONE;
  }

  Optional<GceInstance> instance() {
    return Optional.ofNullable(instance);
  }

  Optional<Operation> insertion() {
    return Optional.ofNullable(insertion)
        .or(() -> Optional.ofNullable(history).flatMap(History::insertion));
  }

  /** The zone of its instance, as soon as it may be there. */
  Optional<String> zone() {
    return instance().map(GceInstance::zone).or(() -> insertion().map(Operation::zone));
  }

  boolean isAt(String zone, String name) {
    return name().equals(name) && zone().filter(zone::equals).isPresent();
  }

  boolean isUp() {
    return instance().filter(some -> some.life().isUp()).isPresent();
  }

  boolean isSpot() {
    return instance().filter(some -> some.market() == Market.SPOT).isPresent();
  }

  boolean isRunning() {
    return instance().filter(some -> some.life() == Life.RUNNING).isPresent();
  }

  /** Whether there may be an instance that goes on unless it is told to end. */
  boolean mayLiveOn() {
    return open() && wanted && !in(Phase.QUEUED) && (instance == null || isUp());
  }

  @Override
  public boolean isBooting() {
    return isRunning() && wanted && toldRunning && !boot.isOver() && !toldLost;
  }

  @Override
  public Optional<String> address() {
    return instance().map(GceInstance::address);
  }

  /** Begins to ask in vain. */
  void seek(Phase next, Instant now) {
    phase = next;
    soughtSince = now;
    looks = 0;
  }

  /** Whether it may still count against a quota, though nobody wants it any more. */
  boolean isEnding() {
    return open() && !wanted && (instance != null || !undecided());
  }
}
