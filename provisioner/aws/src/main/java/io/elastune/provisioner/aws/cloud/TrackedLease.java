package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.InstanceState;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.BootProgress;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of one lease. Used in the event loop only. */
final class TrackedLease implements BootMonitor.BootingNode {
  private final String lease;
  private final Optional<LeaseRequest> request;
  private final BootProgress bootProgress = new BootProgress();

  Phase phase;

  /** Whether the lease has not been released yet. */
  boolean wanted = true;

  /** The instance as last listed; its state never goes back. */
  @Nullable Ec2Instance instance;

  /** The launch that is pending or has an unknown outcome; a retry must be identical. */
  @Nullable LaunchRequest launchRequest;

  /** Whether an Elastune instance was shutting down at the last launch attempt. */
  boolean besideEndingInstance;

  /** The earliest next attempt, while an ending instance still uses up the quota. */
  Instant notBefore = Instant.EPOCH;

  /** EC2's message when the last zone had no capacity. */
  String capacityMessage = "";

  /** The start of a search without result, and below the number of lists since then. */
  Instant unlistedSince = Instant.EPOCH;

  int unlistedCount;

  /** When EC2's list last contained the instance. */
  Instant lastListed = Instant.EPOCH;

  boolean reportedRunning;

  boolean reportedLost;
  boolean reportedNotice;

  /** The time of the last known renewal of the expiry tag. */
  @Nullable Instant renewedAt;

  /** The last known value of the expiry tag. */
  @Nullable Instant expires;

  Instant terminatedAt = Instant.EPOCH;

  /** The phase of a lease. */
  enum Phase {
    /** Waits for its launch. */
    QUEUED,
    /** The launch call is pending. */
    LAUNCHING,
    /** The outcome of the launch call is unknown. */
    UNKNOWN,
    /** Nothing will be launched, but an instance may exist. */
    SEARCHING,
    /** The instance exists. */
    CREATED,
    /** EC2 has confirmed that the instance is terminated or never existed. */
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

  boolean in(Phase some) {
    return phase == some;
  }

  /** Returns whether it is still unknown if an instance exists. */
  boolean isUndecided() {
    return phase == Phase.QUEUED || phase == Phase.LAUNCHING || phase == Phase.UNKNOWN;
  }

  /** Returns whether EC2 must be queried for the lease. */
  boolean isOpen() {
    return phase != Phase.TERMINATED;
  }

  Optional<Ec2Instance> instance() {
    return Optional.ofNullable(instance);
  }

  boolean isUp() {
    return instance().filter(some -> some.state().isUp()).isPresent();
  }

  boolean isSpot() {
    return instance().filter(some -> some.market() == Market.SPOT).isPresent();
  }

  boolean isRunning() {
    return instance().filter(some -> some.state() == InstanceState.RUNNING).isPresent();
  }

  /** Returns whether an instance may exist that continues to run. */
  boolean mayKeepRunning() {
    return isOpen() && wanted && !in(Phase.QUEUED) && (instance == null || isUp());
  }

  @Override
  public boolean isBooting() {
    return isRunning() && wanted && reportedRunning && !bootProgress.isFinished() && !reportedLost;
  }

  @Override
  public Optional<String> address() {
    return instance().map(Ec2Instance::address);
  }

  /** Starts a search for the instance. */
  void startSearch(Phase next, Instant now) {
    phase = next;
    unlistedSince = now;
    unlistedCount = 0;
  }

  /** Returns whether a released instance may still count toward a quota. */
  boolean isEnding() {
    return isOpen() && !wanted && (instance != null || !isUndecided());
  }
}
