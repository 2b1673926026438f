package io.elastune.executor.simulation;

import io.elastune.core.billing.Billing;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** The steps at which a bad node fails. */
  private static final List<PreparationStep> STEPS =
      List.of(
          PreparationStep.JOIN,
          PreparationStep.ACCEPTANCE,
          PreparationStep.IMAGE,
          PreparationStep.SETUP);

  /** Receives the true state changes of instances. */
  interface Listener {
    void running(SimulatedInstance simulatedInstance);

    void ready(SimulatedInstance simulatedInstance);

    void leaving(SimulatedInstance simulatedInstance);

    void lost(SimulatedInstance simulatedInstance, LossReason lossReason);

    void terminated(SimulatedInstance simulatedInstance);
  }

  /** Instances are preempted one by one if the stated rates say nothing else. */
  private static final double LEAST_SHARE = 0.01;

  /** A change of a trace is seen this many seconds later, so that rounding cannot hide it. */
  private static final double AFTER_CHANGE_S = 1e-3;

  private final VirtualTime time;
  private final RandomStream randomStream;
  private final FaultRates faultRates;
  private final GroundTruth groundTruth;
  private final Function<NodeSetup, Optional<String>> setups;
  private final ProvisioningDelays provisioningDelays;
  private final Map<String, SimulatedInstance> simulatedInstances = new LinkedHashMap<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final Set<String> preempted = new HashSet<>();
  private final DeadManTimers timers;
  private final TracedCapacity traced;
  private long batchAt = -1;
  private boolean batchIsPartial;
  private int created;

  /**
   * Creates a provider without instances.
   *
   * @param setups returns the error of a setup that fails
   * @param provisioningDelays the queueing and boot times of instances
   * @param traced the offers whose capacity follows traces
   */
  SimulatedProvider(
      VirtualTime time,
      RandomStream randomStream,
      FaultRates faultRates,
      GroundTruth groundTruth,
      Function<NodeSetup, Optional<String>> setups,
      ProvisioningDelays provisioningDelays,
      TracedCapacity traced) {
    this.traced = traced;
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
    RandomStream own = randomStream.substream("instance").substream(LeaseStreams.name(request));
    double queueS = provisioningDelays.queueS(request);
    double bootS = provisioningDelays.bootS(request);
    InstanceFaultRates stated = request.offer().faults();
    preemptLater(request.offer());
    if (own.substream("stated slow").happens(stated.slowBoot().value())) {
      bootS *= stated.slowBootFactor();
      groundTruth.faultCounts().count(FaultKind.SLOW_BOOT);
    }
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
        randomStream
            .substream("refuse")
            .substream(LeaseStreams.name(request))
            .substream(time.nanos());
    if (batchAt != time.nanos()) {
      batchAt = time.nanos();
      batchIsPartial = own.substream("batch").happens(faultRates.partial());
      return refusesAtRate(own, request);
    }
    return batchIsPartial
        ? refuses(own, PARTIAL_REFUSAL, FaultKind.PARTIAL)
        : refusesAtRate(own, request);
  }

  private boolean refusesAtRate(RandomStream own, LeaseRequest request) {
    if (traced.covers(request.offer())) {
      double share = traced.refusal(request.offer(), time.seconds());
      return refuses(own.substream("trace"), share, FaultKind.REFUSED);
    }
    double stated = request.offer().faults().refusal().value();
    return refuses(own, faultRates.refused(), FaultKind.REFUSED)
        || refuses(own.substream("stated"), stated, FaultKind.REFUSED);
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
    InstanceFaultRates stated = simulatedInstance.offer().faults();
    boolean bootFails = own.substream("boot failure").happens(stated.bootFailure().value());
    time.scheduleAfter(
        bootS,
        () -> {
          if (bootFails) {
            fail(simulatedInstance, false);
          } else {
            setUp(simulatedInstance, own);
          }
        });
    if (stated.failures().value() > 0) {
      time.scheduleAfter(
          own.substream("failure")
              .exponential(Billing.SECONDS_PER_HOUR / stated.failures().value()),
          () -> fail(simulatedInstance, false));
    }
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

  private void setUp(SimulatedInstance simulatedInstance, RandomStream own) {
    if (simulatedInstance.state != SimulatedInstance.State.BOOTING) {
      return;
    }
    simulatedInstance.preparationFailure = preparationFailure(simulatedInstance, own);
    boolean well = simulatedInstance.preparationFailure.isEmpty();
    simulatedInstance.state =
        well ? SimulatedInstance.State.READY : SimulatedInstance.State.UNUSABLE;
    simulatedInstance.readyAt = time.nanos();
    notifyWatchers(listener -> listener.ready(simulatedInstance));
  }

  /** The setup of a job fails on every node, and a bad node fails at any step. */
  private Optional<PreparationFailure> preparationFailure(
      SimulatedInstance simulatedInstance, RandomStream own) {
    RandomStream bad = own.substream("bad node");
    if (bad.happens(faultRates.badNode())) {
      groundTruth.nodeFailed();
      groundTruth.faultCounts().count(FaultKind.BAD_NODE);
      PreparationStep step = STEPS.get((int) bad.between(0, STEPS.size()));
      return Optional.of(new PreparationFailure(step, "exit 1; simulated bad node"));
    }
    return simulatedInstance
        .request
        .setup()
        .flatMap(setups)
        .map(message -> new PreparationFailure(PreparationStep.SETUP, message));
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
    double noticeS = Math.max(faultRates.noticeS(), simulatedInstance.offer().faults().noticeS());
    if (noticeS == 0) {
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
        noticeS,
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

  /** Preempts instances of {@code offer} at its stated rate, from the first request on. */
  private void preemptLater(Offer offer) {
    if (traced.covers(offer)) {
      if (preempted.add(offer.name())) {
        followTrace(offer, randomStream.substream("preempt").substream(offer.name()));
      }
    } else if (offer.faults().preemptions().value() > 0 && preempted.add(offer.name())) {
      preemptLater(offer, randomStream.substream("preempt").substream(offer.name()));
    }
  }

  /** Preempts instances of {@code offer} whenever the share of its trace falls. */
  private void followTrace(Offer offer, RandomStream when) {
    double beforeS = time.seconds();
    time.scheduleAfter(
        traced.untilChangeS(offer, beforeS) + AFTER_CHANGE_S,
        () -> {
          preempt(offer, traced.preempted(offer, beforeS, time.seconds()), when);
          followTrace(offer, when);
        });
  }

  private void preempt(Offer offer, double share, RandomStream when) {
    List<SimulatedInstance> victims =
        simulatedInstances.values().stream()
            .filter(i -> i.isAlive() && i.runningAt != SimulatedInstance.NEVER)
            .filter(i -> i.offer().name().equals(offer.name()) && when.happens(share))
            .toList();
    victims.forEach(this::preempt);
  }

  /**
   * Each event includes each running instance with the same probability, so that the rate of one
   * instance is the stated one.
   */
  private void preemptLater(Offer offer, RandomStream when) {
    double share = Math.max(LEAST_SHARE, offer.faults().preemptedTogether());
    double perHour = offer.faults().preemptions().value() / share;
    time.scheduleAfter(
        when.exponential(Billing.SECONDS_PER_HOUR / perHour),
        () -> {
          preempt(offer, share, when);
          preemptLater(offer, when);
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
