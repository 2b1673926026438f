package io.elastune.executor.simulation;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Simulates the cloud provider: the true state of all instances, independent of any controller's
 * view.
 */
final class SimulatedProvider {
  private static final String NO_CAPACITY = "no capacity for this instance type at present";

  /** The slowdown factor of a slow boot: minimum and maximum. */
  private static final double[] SLOW_BOOT_FACTORS = {3, 20};

  /** The fraction of instances refused when a group of requests is only partially fulfilled. */
  private static final double PARTIAL_REFUSAL = 0.5;

  /** Receives the true state changes of instances. */
  interface Listener {
    void running(SimulatedInstance simulatedInstance);

    void ready(SimulatedInstance simulatedInstance);

    void leaving(SimulatedInstance simulatedInstance);

    void lost(SimulatedInstance simulatedInstance, LossReason lossReason);

    void terminated(SimulatedInstance simulatedInstance);
  }

  private final VirtualTime time;
  private final RandomStream randomStream;
  private final FaultRates faultRates;
  private final GroundTruth groundTruth;
  private final Function<NodeSetup, Optional<String>> setups;
  private final ProvisioningDelays provisioningDelays;
  private final Map<String, SimulatedInstance> simulatedInstances = new LinkedHashMap<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final DeadManTimers timers;
  private long batchAt = -1;
  private boolean batchIsPartial;
  private int created;

  /**
   * Creates a provider without instances.
   *
   * @param setups returns the error of a setup that fails
   * @param provisioningDelays the queueing and boot times of instances
   */
  SimulatedProvider(
      VirtualTime time,
      RandomStream randomStream,
      FaultRates faultRates,
      GroundTruth groundTruth,
      Function<NodeSetup, Optional<String>> setups,
      ProvisioningDelays provisioningDelays) {
    this.time = time;
    this.randomStream = randomStream;
    this.faultRates = faultRates;
    this.groundTruth = groundTruth;
    this.setups = setups;
    this.provisioningDelays = provisioningDelays;
    timers = new DeadManTimers(time, this::shutDown);
    if (faultRates.preemptMeanS() > 0) {
      preemptLater(randomStream.substream("preempt"));
    }
  }

  void addListener(Listener listener) {
    listeners.add(listener);
  }

  void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  Optional<SimulatedInstance> find(String lease) {
    return Optional.ofNullable(simulatedInstances.get(lease));
  }

  /**
   * Creates an instance unless the lease already has one. Returns the reason if the request is
   * refused.
   */
  Optional<RefusalReason> create(LeaseRequest request, NodeExpiryLimit limit) {
    if (simulatedInstances.containsKey(request.lease())) {
      return Optional.empty();
    }
    if (refuses(request)) {
      groundTruth.requestRefused();
      return Optional.of(RefusalReason.CAPACITY);
    }
    SimulatedInstance simulatedInstance = new SimulatedInstance("i-" + ++created, request);
    timers.set(simulatedInstance, limit);
    simulatedInstances.put(request.lease(), simulatedInstance);
    groundTruth.instanceCreated(simulatedInstance);
    RandomStream own = randomStream.substream("instance").substream(request.lease());
    double queueS = provisioningDelays.queueS(request);
    double bootS = provisioningDelays.bootS(request);
    RandomStream slow = own.substream("slow");
    if (slow.happens(faultRates.slowBoot())) {
      bootS *= slow.between(SLOW_BOOT_FACTORS[0], SLOW_BOOT_FACTORS[1]);
      groundTruth.faultCounts().count(FaultKind.SLOW_BOOT);
    }
    double boots = bootS;
    time.scheduleAfter(queueS, () -> run(simulatedInstance, boots, own));
    return Optional.empty();
  }

  static String message(RefusalReason refusalReason) {
    return refusalReason == RefusalReason.CAPACITY
        ? NO_CAPACITY
        : refusalReason.name().toLowerCase(Locale.ROOT);
  }

  private boolean refuses(LeaseRequest request) {
    RandomStream own =
        randomStream.substream("refuse").substream(request.lease()).substream(time.nanos());
    if (batchAt != time.nanos()) {
      batchAt = time.nanos();
      batchIsPartial = own.substream("batch").happens(faultRates.partial());
      return refuses(own, faultRates.refused(), FaultKind.REFUSED);
    }
    return batchIsPartial
        ? refuses(own, PARTIAL_REFUSAL, FaultKind.PARTIAL)
        : refuses(own, faultRates.refused(), FaultKind.REFUSED);
  }

  private boolean refuses(RandomStream own, double probability, FaultKind faultKind) {
    boolean refuses = own.happens(probability);
    if (refuses) {
      groundTruth.faultCounts().count(faultKind);
    }
    return refuses;
  }

  private void run(SimulatedInstance simulatedInstance, double bootS, RandomStream own) {
    if (simulatedInstance.state != SimulatedInstance.State.PENDING) {
      return;
    }
    simulatedInstance.state = SimulatedInstance.State.BOOTING;
    simulatedInstance.runningAt = time.nanos();
    notifyWatchers(listener -> listener.running(simulatedInstance));
    timers.start(simulatedInstance);
    time.scheduleAfter(bootS, () -> setUp(simulatedInstance));
    if (faultRates.vanishMeanS() > 0) {
      RandomStream failure = own.substream("vanish");
      boolean silent = failure.happens(faultRates.contactLost());
      time.scheduleAfter(
          failure.exponential(faultRates.vanishMeanS()), () -> fail(simulatedInstance, silent));
    }
    RandomStream disk = own.substream("disk");
    if (disk.happens(faultRates.fullDisk())) {
      double whenS = disk.exponential(bootS + 600);
      time.scheduleAfter(whenS, () -> fill(simulatedInstance));
    }
  }

  private void fill(SimulatedInstance simulatedInstance) {
    if (simulatedInstance.isAlive()) {
      simulatedInstance.diskFull = true;
      groundTruth.faultCounts().count(FaultKind.DISK_FULL);
    }
  }

  private void setUp(SimulatedInstance simulatedInstance) {
    if (simulatedInstance.state != SimulatedInstance.State.BOOTING) {
      return;
    }
    simulatedInstance.setupFailure = simulatedInstance.request.setup().flatMap(setups);
    boolean well = simulatedInstance.setupFailure.isEmpty();
    simulatedInstance.state =
        well ? SimulatedInstance.State.READY : SimulatedInstance.State.SETUP_FAILED;
    simulatedInstance.readyAt = time.nanos();
    notifyWatchers(listener -> listener.ready(simulatedInstance));
  }

  private void fail(SimulatedInstance simulatedInstance, boolean silent) {
    if (!simulatedInstance.isAlive()) {
      return;
    }
    if (silent) {
      simulatedInstance.reachable = false;
      groundTruth.instanceLost();
      groundTruth.faultCounts().count(FaultKind.UNREACHABLE);
      notifyWatchers(listener -> listener.lost(simulatedInstance, LossReason.LOST_CONTACT));
    } else {
      lose(simulatedInstance, LossReason.FAILED);
    }
  }

  private void lose(SimulatedInstance simulatedInstance, LossReason lossReason) {
    end(simulatedInstance);
    if (!simulatedInstance.leaving) { // otherwise it was recorded with the notice
      groundTruth.instanceLost();
      groundTruth
          .faultCounts()
          .count(
              lossReason == LossReason.PREEMPTED ? FaultKind.PREEMPTED : FaultKind.INSTANCE_FAILED);
    }
    notifyWatchers(listener -> listener.lost(simulatedInstance, lossReason));
  }

  /** Preempts an instance, after its notice period if there is one. */
  private void preempt(SimulatedInstance simulatedInstance) {
    if (faultRates.noticeS() == 0) {
      lose(simulatedInstance, LossReason.PREEMPTED);
      return;
    }
    if (simulatedInstance.leaving) {
      return;
    }
    simulatedInstance.leaving = true;
    groundTruth.instanceLost();
    groundTruth.faultCounts().count(FaultKind.PREEMPTED);
    notifyWatchers(listener -> listener.leaving(simulatedInstance));
    time.scheduleAfter(
        faultRates.noticeS(),
        () -> {
          if (simulatedInstance.isAlive()) {
            lose(simulatedInstance, LossReason.PREEMPTED);
          }
        });
  }

  private void preemptLater(RandomStream when) {
    time.scheduleAfter(
        when.exponential(faultRates.preemptMeanS()),
        () -> {
          double share = when.between(0.2, 1);
          List<SimulatedInstance> victims =
              simulatedInstances.values().stream()
                  .filter(
                      i ->
                          i.isAlive()
                              && i.runningAt != SimulatedInstance.NEVER
                              && when.happens(share))
                  .toList();
          victims.forEach(this::preempt);
          preemptLater(when);
        });
  }

  /** Terminates an instance, which ends its billing. Has no effect on a terminated instance. */
  void terminate(String lease) {
    find(lease)
        .filter(SimulatedInstance::isAlive)
        .ifPresent(
            simulatedInstance -> {
              end(simulatedInstance);
              notifyWatchers(listener -> listener.terminated(simulatedInstance));
            });
  }

  private void end(SimulatedInstance simulatedInstance) {
    simulatedInstance.state = SimulatedInstance.State.TERMINATED;
    simulatedInstance.endedAt = time.nanos();
    groundTruth.instanceEnded(simulatedInstance);
  }

  private void notifyWatchers(Consumer<Listener> event) {
    List.copyOf(listeners).forEach(event);
  }

  /** Sets the expiry limit of all nodes. */
  void limitNodeExpiry(NodeExpiryLimit limit) {
    simulatedInstances.values().stream()
        .filter(SimulatedInstance::isAlive)
        .forEach(node -> timers.set(node, limit));
  }

  /** Records that a controller is active and renews the expiry of all nodes. */
  void renewExpiry() {
    timers.renew();
  }

  /** Records that no controller is active: the nodes shut down after their dead-man time. */
  void stopRenewals() {
    timers.stopRenewals(simulatedInstances.values());
  }

  private void shutDown(SimulatedInstance simulatedInstance) {
    groundTruth.faultCounts().count(FaultKind.SELF_SHUTDOWN);
    terminate(simulatedInstance.lease());
  }

  /** Returns the instances with the tag of {@code run} that are not terminated. */
  List<InstanceInfo> list(String run) {
    return simulatedInstances.values().stream()
        .filter(
            simulatedInstance ->
                simulatedInstance.isAlive()
                    && run.equals(simulatedInstance.request.tags().get(Tags.RUN)))
        .map(
            simulatedInstance ->
                new InstanceInfo(
                    simulatedInstance.id,
                    simulatedInstance.lease(),
                    simulatedInstance.state.name().toLowerCase(Locale.ROOT)))
        .toList();
  }
}
