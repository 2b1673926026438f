package io.elastune.provisioner.remote;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of one lease. Used in the event loop only. */
final class TrackedLease {
  private final String id;
  private final Optional<LeaseRequest> request;
  private final BootProgress bootProgress = new BootProgress();

  Phase phase;

  /** Whether the lease has not been released yet. */
  boolean wanted = true;

  /** The instance as last described; its stage never goes back. */
  @Nullable RemoteInstance instance;

  /** The launch that is pending or has an unknown outcome; it is repeated unchanged. */
  @Nullable PreparedLaunch launch;

  /** Since when the outcome of the launch is unknown; it may have been repeated meanwhile. */
  @Nullable Instant unknownSince;

  /** The cloud's message about the launch with an unknown outcome. */
  String unknownMessage = "";

  /** Whether a launch with an unknown outcome was given up, so that its instance may appear. */
  boolean gaveUpLaunch;

  /** How many creations have failed after they had begun, and in which zones. */
  int failures;

  final Set<String> zonesOfFailedCreations = new HashSet<>();

  /** The instances that the cloud ended instead of starting them. */
  final Set<String> failedInstances = new HashSet<>();

  /** When the first zone was tried. */
  @Nullable Instant firstTriedAt;

  /** The zones without capacity, in the order in which they were tried. */
  final Set<String> zonesWithoutCapacity = new LinkedHashSet<>();

  /** The cloud's message about the last zone without capacity. */
  String capacityMessage = "";

  /** Whether another instance was being terminated at the last launch attempt. */
  boolean besideEndingInstance;

  /** The earliest next attempt, while an ending instance still uses up the quota. */
  Instant notBefore = Instant.EPOCH;

  /** The operation by which this process created the instance. */
  @Nullable RemoteOperation creation;

  /** What the cloud has recorded about the instance; null until read. */
  @Nullable InstanceHistory history;

  /** Whether to read the history although this process has requested the instance. */
  boolean historyNeeded;

  boolean historyRequested;

  /** The start of a search without result, and below the number of lists since then. */
  Instant unlistedSince = Instant.EPOCH;

  int unlistedCount;

  /** When a list last contained the instance. */
  Instant lastListed = Instant.EPOCH;

  boolean lookupPending;
  boolean causePending;
  boolean reportedRunning;

  /** When billing began, as far as the cloud has described it. */
  @Nullable Instant billedSince;

  /** Whether a description of the running instance differed from the request. */
  boolean mismatchSeen;

  boolean reportedLost;
  boolean reportedNotice;

  /** When the cloud finished the deletion that this process requested. */
  @Nullable Instant deletedAt;

  /** When this process last renewed the expiry. */
  @Nullable Instant renewedAt;

  /** The last expiry that the node is known to have received. */
  @Nullable Instant expires;

  /** When the lease was released. */
  private Instant releasedAt = Instant.EPOCH;

  Instant terminatedAt = Instant.EPOCH;

  /** The phases of a lease. */
  enum Phase {
    /** Waits for its launch. */
    QUEUED,
    /** The launch call is pending. */
    LAUNCHING,
    /** The cloud is creating the instance, which may still fail. */
    CREATING,
    /** The outcome of the launch call is unknown. */
    UNKNOWN,
    /** Nothing will be launched, but an instance may exist. */
    SEARCHING,
    /** The instance exists. */
    CREATED,
    /** The cloud has confirmed that the instance is terminated or never existed. */
    TERMINATED
  }

  TrackedLease(String id, Optional<LeaseRequest> request, Phase phase) {
    this.id = id;
    this.request = request;
    this.phase = phase;
  }

  String id() {
    return id;
  }

  Optional<LeaseRequest> request() {
    return request;
  }

  BootProgress boot() {
    return bootProgress;
  }

  Optional<String> run() {
    return request.map(LeaseRequest::run);
  }

  /** Returns the time without contact after which the node shuts down; 0 if unknown. */
  Duration deadMan() {
    return request.map(LeaseRequest::deadMan).orElse(Duration.ZERO);
  }

  /** Makes the next launch one of its own: it is no repetition of the last one. */
  void forgetLaunch() {
    launch = null;
    unknownSince = null;
  }

  /** Returns whether the first launch was tried so long ago. */
  boolean isTriedFor(Duration time, Instant now) {
    return firstTriedAt != null && !now.isBefore(firstTriedAt.plus(time));
  }

  boolean in(Phase some) {
    return phase == some;
  }

  /** Returns whether it is still unknown if an instance exists. */
  boolean isUndecided() {
    return phase == Phase.QUEUED || phase == Phase.LAUNCHING || phase == Phase.UNKNOWN;
  }

  /** Returns whether the lease is not confirmed as terminated. */
  boolean isOpen() {
    return phase != Phase.TERMINATED;
  }

  Optional<RemoteInstance> instance() {
    return Optional.ofNullable(instance);
  }

  /** Returns the operation that created or is creating the instance, if known. */
  Optional<RemoteOperation> creation() {
    return Optional.ofNullable(creation)
        .or(() -> Optional.ofNullable(history).flatMap(InstanceHistory::creation));
  }

  /** Returns the id of the instance, as soon as one may exist. */
  Optional<String> instanceId() {
    return instance().map(RemoteInstance::id).or(() -> creation().map(RemoteOperation::instance));
  }

  /** Returns the zone of the instance, as soon as one may exist. */
  Optional<String> zone() {
    return instance().map(RemoteInstance::zone).or(() -> creation().map(RemoteOperation::zone));
  }

  boolean isInstance(String other) {
    return instanceId().filter(other::equals).isPresent();
  }

  boolean isUp() {
    return instance().filter(some -> some.stage().isUp()).isPresent();
  }

  boolean isSpot() {
    return instance().filter(some -> some.market() == Market.SPOT).isPresent();
  }

  boolean isRunning() {
    return instance().filter(some -> some.stage() == InstanceStage.RUNNING).isPresent();
  }

  /** Returns whether an instance may exist that continues to run. */
  boolean mayKeepRunning() {
    return isOpen() && wanted && !in(Phase.QUEUED) && (instance == null || isUp());
  }

  /** Returns whether the node has not reported yet that it is ready. */
  boolean isBooting() {
    return isRunning() && wanted && reportedRunning && !bootProgress.isFinished() && !reportedLost;
  }

  /** Returns whether a released instance may still count toward a quota. */
  boolean isEnding() {
    return isOpen() && !wanted && (instance != null || !isUndecided());
  }

  /** Records that the lease is released. */
  void release(Instant now) {
    wanted = false;
    releasedAt = now;
  }

  /** Returns when the lease was released; long ago if it was not. */
  Instant releasedAt() {
    return releasedAt;
  }

  /**
   * Returns whether the cloud has not begun to terminate the instance this long after a release.
   */
  boolean isTerminationLate(Duration limit, Instant now) {
    boolean isUnconfirmed =
        instance == null || instance.stage().isUp() || instance.stage() == InstanceStage.STOPPED;
    return isEnding() && isUnconfirmed && !now.isBefore(releasedAt.plus(limit));
  }

  /** Starts to count the lists that do not contain the instance. */
  void startSearch(Phase next, Instant now) {
    phase = next;
    unlistedSince = now;
    unlistedCount = 0;
  }

  /** Returns when the instance was last known to exist, or since when it has been searched. */
  Instant lastSeen() {
    Instant listed = lastListed.equals(Instant.EPOCH) ? unlistedSince : lastListed;
    return instance().map(RemoteInstance::created).filter(listed::isBefore).orElse(listed);
  }
}
