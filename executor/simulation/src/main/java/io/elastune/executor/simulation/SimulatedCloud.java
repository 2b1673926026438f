package io.elastune.executor.simulation;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Connects one controller to the simulated provider. Calls may be throttled or time out, before or
 * after they take effect; calls for one lease keep their order. No events are sent for a lease
 * whose request timed out until the controller adopts or releases it.
 */
final class SimulatedCloud implements Cloud, SimulatedProvider.Listener {
  /** Seconds after which a call without a response is repeated. */
  private static final double RETRY_AFTER_S = 5;

  private final VirtualTime time;
  private final SimulatedProvider simulatedProvider;
  private final GroundTruth groundTruth;
  private final RandomStream randomStream;
  private final FaultRates.CallFaults faults;
  private final FaultyChannel<CloudEvent> faultyChannel;
  private final Set<String> known = new HashSet<>();
  private final Map<String, Long> lastCall = new HashMap<>();
  private NodeExpiryLimit limit = NodeExpiryLimit.NONE;
  private boolean nodesHaveLimit = true;

  /**
   * Calls deferred until the nodes have received the limit: requests and later calls for the same
   * leases.
   */
  private final Map<String, List<Runnable>> deferred = new LinkedHashMap<>();

  private boolean closed;

  SimulatedCloud(
      VirtualTime time,
      SimulatedProvider simulatedProvider,
      GroundTruth groundTruth,
      RandomStream randomStream,
      FaultRates.CallFaults faults,
      FaultyChannel<CloudEvent> faultyChannel) {
    this.time = time;
    this.simulatedProvider = simulatedProvider;
    this.groundTruth = groundTruth;
    this.randomStream = randomStream;
    this.faults = faults;
    this.faultyChannel = faultyChannel;
    simulatedProvider.addListener(this);
    time.scheduleAfter(0, this::announce);
  }

  @Override
  public void request(LeaseRequest request) {
    call(
        request.lease(),
        answered -> {
          if (nodesHaveLimit) {
            create(request, answered);
          } else {
            defer(request.lease(), () -> create(request, answered));
          }
        });
  }

  private void create(LeaseRequest request, boolean answered) {
    Optional<RefusalReason> refusalReason = simulatedProvider.create(request, limit);
    if (answered) {
      known.add(request.lease());
      refusalReason.ifPresent(
          why ->
              faultyChannel.send(
                  new CloudEvent.Refused(
                      request.lease(), why, SimulatedProvider.message(why), time.instant())));
    }
  }

  @Override
  public void adopt(LeaseRequest request) {
    call(
        request.lease(),
        answered -> {
          if (answered) {
            known.add(request.lease());
            simulatedProvider
                .find(request.lease())
                .ifPresentOrElse(this::postState, () -> neverCreated(request.lease()));
          }
        });
  }

  private void neverCreated(String lease) {
    faultyChannel.send(new CloudEvent.Terminated(lease, time.instant()));
  }

  private void postState(SimulatedInstance simulatedInstance) {
    if (simulatedInstance.runningAt != SimulatedInstance.NEVER) {
      running(simulatedInstance);
    }
    if (simulatedInstance.isAlive() && simulatedInstance.readyAt != SimulatedInstance.NEVER) {
      ready(simulatedInstance);
    }
    if (simulatedInstance.isAlive() && simulatedInstance.leaving) {
      leaving(simulatedInstance);
    }
    if (simulatedInstance.isAlive() && !simulatedInstance.reachable) {
      lost(simulatedInstance, LossReason.LOST_CONTACT);
    }
    if (!simulatedInstance.isAlive()) {
      terminated(simulatedInstance);
    }
  }

  @Override
  public void release(String lease) {
    groundTruth.releaseRequested(lease);
    call(
        lease,
        answered -> {
          Optional<SimulatedInstance> simulatedInstance = simulatedProvider.find(lease);
          boolean exists = simulatedInstance.filter(SimulatedInstance::isAlive).isPresent();
          if (answered) {
            known.add(lease);
          }
          groundTruth.releaseExecuted(lease);
          simulatedProvider.terminate(lease);
          if (!exists && answered) {
            simulatedInstance.ifPresentOrElse(this::terminated, () -> neverCreated(lease));
          }
        });
  }

  @Override
  public void list(String run) {
    call(
        "",
        answered -> {
          if (answered) {
            faultyChannel.send(
                new CloudEvent.Listed(run, simulatedProvider.list(run), time.instant()));
          }
        });
  }

  /** Announces a controller without an expiry limit. */
  private void announce() {
    if (!limit.isLimited()) {
      sendLimit(limit);
    }
  }

  /**
   * New instances are created with the limit, but only after the existing nodes have received it.
   */
  @Override
  public void limitNodeExpiry(NodeExpiryLimit other) {
    limit = other;
    nodesHaveLimit = !other.isLimited();
    sendLimit(other);
  }

  private void defer(String lease, Runnable effect) {
    deferred.computeIfAbsent(lease, some -> new ArrayList<>()).add(effect);
  }

  /**
   * Sends the nodes the expiry limit, and the sign that a controller is active, in one call. The
   * call is idempotent, and repeated until it has been executed.
   */
  private void sendLimit(NodeExpiryLimit sent) {
    if (closed || !sent.equals(limit)) {
      return;
    }
    if (happens(faults.throttled(), FaultKind.THROTTLED)) {
      time.scheduleAfter(randomStream.exponential(faults.throttledMeanS()), () -> sendLimit(sent));
    } else if (happens(faults.timedOutBefore(), FaultKind.TIMED_OUT_BEFORE)) {
      time.scheduleAfter(RETRY_AFTER_S, () -> sendLimit(sent));
    } else {
      simulatedProvider.renewExpiry();
      simulatedProvider.limitNodeExpiry(sent);
      nodesHaveLimit = true;
      List<List<Runnable>> due = List.copyOf(deferred.values());
      deferred.clear();
      due.forEach(effects -> effects.forEach(Runnable::run));
    }
  }

  /** The effect of a call; its parameter says whether the response reaches the controller. */
  private interface Effect {
    void apply(boolean answered);
  }

  private boolean happens(double probability, FaultKind faultKind) {
    boolean happens = randomStream.happens(probability);
    if (happens) {
      groundTruth.faultCounts().count(faultKind);
    }
    return happens;
  }

  private void call(String lease, Effect effect) {
    boolean throttled = happens(faults.throttled(), FaultKind.THROTTLED);
    boolean ineffective = happens(faults.timedOutBefore(), FaultKind.TIMED_OUT_BEFORE);
    boolean answered = !happens(faults.timedOutAfter(), FaultKind.TIMED_OUT_AFTER);
    if (ineffective || closed) {
      return;
    }
    long at = time.nanos();
    if (throttled) {
      at += VirtualTime.nanos(randomStream.exponential(faults.throttledMeanS()));
    }
    at = Math.max(at, lastCall.getOrDefault(lease, 0L));
    lastCall.put(lease, at);
    time.scheduleAt(
        at,
        () -> {
          if (!closed && deferred.containsKey(lease)) {
            defer(lease, () -> effect.apply(answered));
          } else if (!closed) {
            effect.apply(answered);
          }
        });
  }

  @Override
  public void running(SimulatedInstance simulatedInstance) {
    if (known.contains(simulatedInstance.lease())) {
      Instant at = time.instantAt(simulatedInstance.runningAt);
      faultyChannel.send(
          new CloudEvent.Running(simulatedInstance.lease(), simulatedInstance.id, at));
    }
  }

  @Override
  public void ready(SimulatedInstance simulatedInstance) {
    if (known.contains(simulatedInstance.lease())) {
      Instant at = time.instantAt(simulatedInstance.readyAt);
      faultyChannel.send(
          simulatedInstance
              .preparationFailure
              .<CloudEvent>map(failure -> failure.event(simulatedInstance.lease(), at))
              .orElseGet(
                  () ->
                      new CloudEvent.Ready(
                          simulatedInstance.lease(), simulatedInstance.node(), at)));
    }
  }

  @Override
  public void leaving(SimulatedInstance simulatedInstance) {
    if (known.contains(simulatedInstance.lease())) {
      String message = "preemption notice of the simulated cloud";
      faultyChannel.send(
          new CloudEvent.Leaving(simulatedInstance.lease(), message, time.instant()));
    }
  }

  @Override
  public void lost(SimulatedInstance simulatedInstance, LossReason lossReason) {
    if (known.contains(simulatedInstance.lease())) {
      String message = "simulated failure or preemption";
      faultyChannel.send(
          new CloudEvent.Lost(simulatedInstance.lease(), lossReason, message, time.instant()));
    }
  }

  @Override
  public void terminated(SimulatedInstance simulatedInstance) {
    if (known.contains(simulatedInstance.lease())) {
      Optional<Instant> running =
          Optional.of(simulatedInstance.runningAt)
              .filter(at -> at != SimulatedInstance.NEVER)
              .map(time::instantAt);
      faultyChannel.send(
          new CloudEvent.Terminated(
              simulatedInstance.lease(), running, time.instantAt(simulatedInstance.endedAt)));
    }
  }

  /** Discards calls that have not taken effect yet. */
  @Override
  public void close() {
    closed = true;
    simulatedProvider.removeListener(this);
    faultyChannel.close();
  }
}
