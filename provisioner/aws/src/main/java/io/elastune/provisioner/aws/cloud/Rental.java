package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.aws.account.InstanceState;
import io.elastune.provisioner.aws.account.LaunchOrder;
import io.elastune.provisioner.remote.Boot;
import io.elastune.provisioner.remote.NodeWatch;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of one lease. Used in the loop only. */
final class Rental implements NodeWatch.Rented {
  private final String lease;
  private final Optional<LeaseRequest> request;
  private final Boot boot = new Boot();

  Phase phase;

  /** Whether it has not been released yet. */
  boolean wanted = true;

  /** As seen last; its state never goes back. */
  @Nullable Ec2Instance instance;

  /** The launch that is under way, or whose outcome is unknown: repeated to the letter, or not. */
  @Nullable LaunchOrder order;

  /** Whether something of ours was about to end when it was last tried. */
  boolean besideEnding;

  /** Before when it is not tried again, for what is just ending uses the quota up. */
  Instant notBefore = Instant.EPOCH;

  /** What EC2 said when the last zone had no capacity. */
  String refusal = "";

  /** Since when EC2 has been asked in vain, and how often. */
  Instant soughtSince = Instant.EPOCH;

  int looks;

  /** When EC2's list last had its instance. */
  Instant shown = Instant.EPOCH;

  boolean toldRunning;

  boolean toldLost;
  boolean toldLeaving;

  /** When its tag was put off last, as far as this process knows. */
  @Nullable Instant renewed;

  /** What its tag says, as far as this process knows. */
  @Nullable Instant expires;

  Instant goneAt = Instant.EPOCH;

  /** Where a lease is. */
  enum Phase {
    /** To be launched. */
    QUEUED,
    /** The call is under way. */
    LAUNCHING,
    /** The call has got no answer that tells. */
    UNKNOWN,
    /** Nothing will be launched, but something may be there. */
    SEEKING,
    /** There is an instance. */
    RENTED,
    /** EC2 has said that there is no instance any more, or never was. */
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

  boolean in(Phase some) {
    return phase == some;
  }

  /** Whether it cannot yet be told if there is an instance. */
  boolean undecided() {
    return phase == Phase.QUEUED || phase == Phase.LAUNCHING || phase == Phase.UNKNOWN;
  }

  /** Whether EC2 is to be asked for it. */
  boolean open() {
    return phase != Phase.GONE;
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
    return instance().map(Ec2Instance::address);
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
