package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.InsertOrder;
import io.elastune.provisioner.gcp.account.Life;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Operation;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.BootProgress;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tracks the state of one lease. Used only in the event loop. */
final class Rental implements BootMonitor.BootingNode {
  private final String lease;
  private final Optional<LeaseRequest> request;
  private final BootProgress bootProgress = new BootProgress();

  Phase phase;

  /** Whether it has not been released yet. */
  boolean wanted = true;

  /** The last observed state; it never returns to an earlier stage. */
  @Nullable GceInstance instance;

  /** The insert request in progress or with an unknown outcome. It is repeated unchanged. */
  @Nullable InsertOrder order;

  /** How many insertions have failed after Google started them. */
  int failures;

  /** When the first zone was tried. */
  @Nullable Instant firstTried;

  /** Zones without capacity, in the order in which they were tried. */
  final Set<String> refusedBy = new LinkedHashSet<>();

  /** Whether an Elastune instance was ending at the last try. */
  boolean besideEnding;

  /** The earliest time of the next try, while an ending instance still uses the quota. */
  Instant notBefore = Instant.EPOCH;

  /** Google's message about the last zone without capacity. */
  String refusal = "";

  /** The operation that created the instance. */
  @Nullable Operation insertion;

  /** The operations of an earlier controller; null until read. */
  @Nullable History history;

  boolean historyAsked;

  /** Whether to read the history although this process requested the instance itself. */
  boolean historyWanted;

  /** Since when lists have shown no instance. */
  Instant soughtSince = Instant.EPOCH;

  /** How many lists since then have shown no instance. */
  int looks;

  /** When a list last showed the instance. */
  Instant shown = Instant.EPOCH;

  boolean closerLook;
  boolean toldRunning;

  boolean toldLost;
  boolean toldLeaving;
  boolean asksWhy;

  /** When its expiry was last renewed by this process. */
  @Nullable Instant renewed;

  /** Its expiry, if this process knows it. */
  @Nullable Instant expires;

  Instant goneAt = Instant.EPOCH;

  /** The stages of a lease. */
  enum Phase {
    /** Waits for an insert call. */
    QUEUED,
    /** The insert call is in progress. */
    INSERTING,
    /** Google is creating the instance, which may still fail. */
    COMING,
    /** The outcome of the insert call is unknown. */
    UNKNOWN,
    /** No instance will be created, but one may exist. */
    SEEKING,
    /** The instance exists. */
    RENTED,
    /** Google has confirmed that the instance no longer exists or never existed. */
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
  public BootProgress boot() {
    return bootProgress;
  }

  Optional<String> run() {
    return request.map(LeaseRequest::run);
  }

  /** Returns the name of its instance, in any zone. */
  String name() {
    return Names.instance(lease);
  }

  boolean in(Phase some) {
    return phase == some;
  }

  /** Returns whether the existence of an instance is not determined yet. */
  boolean undecided() {
    return phase == Phase.QUEUED || phase == Phase.INSERTING || phase == Phase.UNKNOWN;
  }

  /** Returns whether the lease is not confirmed as terminated. */
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

  /** Returns the zone of its instance, as soon as one may exist. */
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

  /** Returns whether an instance may exist that runs until it is released. */
  boolean mayLiveOn() {
    return open() && wanted && !in(Phase.QUEUED) && (instance == null || isUp());
  }

  @Override
  public boolean isBooting() {
    return isRunning() && wanted && toldRunning && !bootProgress.isFinished() && !toldLost;
  }

  @Override
  public Optional<String> address() {
    return instance().map(GceInstance::address);
  }

  /** Starts to count the lists that show no instance. */
  void seek(Phase next, Instant now) {
    phase = next;
    soughtSince = now;
    looks = 0;
  }

  /** Returns whether it has been released but may still count against a quota. */
  boolean isEnding() {
    return open() && !wanted && (instance != null || !undecided());
  }
}
