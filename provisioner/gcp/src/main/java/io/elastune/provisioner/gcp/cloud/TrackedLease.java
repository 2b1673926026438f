package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.InsertRequest;
import io.elastune.provisioner.gcp.model.InstanceLifecycle;
import io.elastune.provisioner.gcp.model.Operation;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.BootProgress;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tracks the state of one lease. Used only in the event loop. */
final class TrackedLease implements BootMonitor.BootingNode {
  private final String lease;
  private final Optional<LeaseRequest> request;
  private final BootProgress bootProgress = new BootProgress();

  Phase phase;

  /** Whether it has not been released yet. */
  boolean wanted = true;

  /** The last observed state; it never returns to an earlier stage. */
  @Nullable GceInstance instance;

  /** The insert request in progress or with an unknown outcome. It is repeated unchanged. */
  @Nullable InsertRequest insertRequest;

  /** How many insertions have failed after Google started them. */
  int failures;

  /** When the first zone was tried. */
  @Nullable Instant firstTriedAt;

  /** Zones without capacity, in the order in which they were tried. */
  final Set<String> zonesWithoutCapacity = new LinkedHashSet<>();

  /** Whether an Elastune instance was ending at the last try. */
  boolean besideEndingInstance;

  /** The earliest time of the next try, while an ending instance still uses the quota. */
  Instant notBefore = Instant.EPOCH;

  /** Google's message about the last zone without capacity. */
  String capacityMessage = "";

  /** The operation that created the instance. */
  @Nullable Operation insertion;

  /** The operations of an earlier controller; null until read. */
  @Nullable OperationHistory history;

  boolean historyRequested;

  /** Whether to read the history although this process requested the instance itself. */
  boolean historyNeeded;

  /** Since when lists have shown no instance. */
  Instant unlistedSince = Instant.EPOCH;

  /** How many lists since then have shown no instance. */
  int unlistedCount;

  /** When a list last showed the instance. */
  Instant lastListed = Instant.EPOCH;

  boolean isLookupInProgress;
  boolean reportedRunning;

  boolean reportedLost;
  boolean reportedNotice;
  boolean isHistoryInProgress;

  /** When its expiry was last renewed by this process. */
  @Nullable Instant renewedAt;

  /** Its expiry, if this process knows it. */
  @Nullable Instant expires;

  Instant terminatedAt = Instant.EPOCH;

  /** The stages of a lease. */
  enum Phase {
    /** Waits for an insert call. */
    QUEUED,
    /** The insert call is in progress. */
    INSERTING,
    /** Google is creating the instance, which may still fail. */
    CREATING,
    /** The outcome of the insert call is unknown. */
    UNKNOWN,
    /** No instance will be created, but one may exist. */
    SEARCHING,
    /** The instance exists. */
    CREATED,
    /** Google has confirmed that the instance no longer exists or never existed. */
    TERMINATED
  }

  TrackedLease(String lease, Optional<LeaseRequest> request, Phase phase) {
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
    return ResourceNames.instanceName(lease);
  }

  boolean in(Phase some) {
    return phase == some;
  }

  /** Returns whether the existence of an instance is not determined yet. */
  boolean isUndecided() {
    return phase == Phase.QUEUED || phase == Phase.INSERTING || phase == Phase.UNKNOWN;
  }

  /** Returns whether the lease is not confirmed as terminated. */
  boolean isOpen() {
    return phase != Phase.TERMINATED;
  }

  Optional<GceInstance> instance() {
    return Optional.ofNullable(instance);
  }

  Optional<Operation> insertion() {
    return Optional.ofNullable(insertion)
        .or(() -> Optional.ofNullable(history).flatMap(OperationHistory::insertion));
  }

  /** Returns the zone of its instance, as soon as one may exist. */
  Optional<String> zone() {
    return instance().map(GceInstance::zone).or(() -> insertion().map(Operation::zone));
  }

  boolean isAt(String zone, String name) {
    return name().equals(name) && zone().filter(zone::equals).isPresent();
  }

  boolean isUp() {
    return instance().filter(some -> some.lifecycle().isUp()).isPresent();
  }

  boolean isSpot() {
    return instance().filter(some -> some.market() == Market.SPOT).isPresent();
  }

  boolean isRunning() {
    return instance().filter(some -> some.lifecycle() == InstanceLifecycle.RUNNING).isPresent();
  }

  /** Returns whether an instance may exist that runs until it is released. */
  boolean mayKeepRunning() {
    return isOpen() && wanted && !in(Phase.QUEUED) && (instance == null || isUp());
  }

  @Override
  public boolean isBooting() {
    return isRunning() && wanted && reportedRunning && !bootProgress.isFinished() && !reportedLost;
  }

  @Override
  public Optional<String> address() {
    return instance().map(GceInstance::address);
  }

  /** Starts to count the lists that show no instance. */
  void startSearch(Phase next, Instant now) {
    phase = next;
    unlistedSince = now;
    unlistedCount = 0;
  }

  /** Returns whether it has been released but may still count against a quota. */
  boolean isEnding() {
    return isOpen() && !wanted && (instance != null || !isUndecided());
  }
}
