package io.elastune.executor.world;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.Refusal;
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
final class SimulatedCloud implements Cloud, Provider.Watcher {
  /** Seconds after which a call without a response is repeated. */
  private static final double RETRY_AFTER_S = 5;

  private final Timeline time;
  private final Provider provider;
  private final Book book;
  private final Chance chance;
  private final Faults.Calls faults;
  private final Wire<CloudEvent> wire;
  private final Set<String> known = new HashSet<>();
  private final Map<String, Long> lastCall = new HashMap<>();
  private LifeLimit limit = LifeLimit.NONE;
  private boolean nodesHaveLimit = true;

  /**
   * Calls deferred until the nodes have received the limit: requests and later calls for the same
   * leases.
   */
  private final Map<String, List<Runnable>> deferred = new LinkedHashMap<>();

  private boolean closed;

  SimulatedCloud(
      Timeline time,
      Provider provider,
      Book book,
      Chance chance,
      Faults.Calls faults,
      Wire<CloudEvent> wire) {
    this.time = time;
    this.provider = provider;
    this.book = book;
    this.chance = chance;
    this.faults = faults;
    this.wire = wire;
    provider.watch(this);
    time.after(0, this::announce);
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
    Optional<Refusal> refusal = provider.create(request, limit);
    if (answered) {
      known.add(request.lease());
      refusal.ifPresent(
          why ->
              wire.send(
                  new CloudEvent.Refused(
                      request.lease(), why, Provider.message(why), time.instant())));
    }
  }

  @Override
  public void adopt(LeaseRequest request) {
    call(
        request.lease(),
        answered -> {
          if (answered) {
            known.add(request.lease());
            provider
                .find(request.lease())
                .ifPresentOrElse(this::postState, () -> postTerminated(request));
          }
        });
  }

  private void postTerminated(LeaseRequest request) {
    wire.send(new CloudEvent.Terminated(request.lease(), time.instant()));
  }

  private void postState(Instance instance) {
    if (instance.runningAt != Instance.NEVER) {
      running(instance);
    }
    if (instance.alive() && instance.readyAt != Instance.NEVER) {
      ready(instance);
    }
    if (instance.alive() && instance.leaving) {
      leaving(instance);
    }
    if (instance.alive() && !instance.reachable) {
      lost(instance, Loss.LOST_CONTACT);
    }
    if (!instance.alive()) {
      terminated(instance);
    }
  }

  @Override
  public void release(String lease) {
    book.releaseAsked(lease);
    call(
        lease,
        answered -> {
          Optional<Instance> instance = provider.find(lease);
          boolean exists = instance.filter(Instance::alive).isPresent();
          if (answered) {
            known.add(lease);
          }
          provider.terminate(lease);
          if (!exists && answered) {
            long at = instance.map(gone -> gone.endedAt).orElse(time.nanos());
            wire.send(new CloudEvent.Terminated(lease, time.moment(at)));
          }
        });
  }

  @Override
  public void list(String run) {
    call(
        "",
        answered -> {
          if (answered) {
            wire.send(new CloudEvent.Listed(run, provider.list(run), time.instant()));
          }
        });
  }

  /** Announces a controller without an expiry limit. */
  private void announce() {
    if (!limit.exists()) {
      sendLimit(limit);
    }
  }

  /**
   * New instances are created with the limit, but only after the existing nodes have received it.
   */
  @Override
  public void limitLives(LifeLimit other) {
    limit = other;
    nodesHaveLimit = !other.exists();
    sendLimit(other);
  }

  private void defer(String lease, Runnable effect) {
    deferred.computeIfAbsent(lease, some -> new ArrayList<>()).add(effect);
  }

  /**
   * Sends the nodes the expiry limit, and the sign that a controller is active, in one call. The
   * call is idempotent, and repeated until it has been executed.
   */
  private void sendLimit(LifeLimit sent) {
    if (closed || !sent.equals(limit)) {
      return;
    }
    if (happens(faults.throttled(), Mishap.THROTTLED)) {
      time.after(chance.waiting(faults.throttledMeanS()), () -> sendLimit(sent));
    } else if (happens(faults.timedOutBefore(), Mishap.TIMED_OUT_BEFORE)) {
      time.after(RETRY_AFTER_S, () -> sendLimit(sent));
    } else {
      provider.attended();
      provider.limitLives(sent);
      nodesHaveLimit = true;
      List<List<Runnable>> due = List.copyOf(deferred.values());
      deferred.clear();
      due.forEach(effects -> effects.forEach(Runnable::run));
    }
  }

  /** The effect of a call; its parameter says whether the response reaches the controller. */
  private interface Effect {
    void take(boolean answered);
  }

  private boolean happens(double probability, Mishap mishap) {
    boolean happens = chance.happens(probability);
    if (happens) {
      book.mishaps().count(mishap);
    }
    return happens;
  }

  private void call(String lease, Effect effect) {
    boolean throttled = happens(faults.throttled(), Mishap.THROTTLED);
    boolean ineffective = happens(faults.timedOutBefore(), Mishap.TIMED_OUT_BEFORE);
    boolean answered = !happens(faults.timedOutAfter(), Mishap.TIMED_OUT_AFTER);
    if (ineffective || closed) {
      return;
    }
    long at = time.nanos();
    if (throttled) {
      at += Timeline.nanos(chance.waiting(faults.throttledMeanS()));
    }
    at = Math.max(at, lastCall.getOrDefault(lease, 0L));
    lastCall.put(lease, at);
    time.at(
        at,
        () -> {
          if (!closed && deferred.containsKey(lease)) {
            defer(lease, () -> effect.take(answered));
          } else if (!closed) {
            effect.take(answered);
          }
        });
  }

  @Override
  public void running(Instance instance) {
    if (known.contains(instance.lease())) {
      Instant at = time.moment(instance.runningAt);
      wire.send(new CloudEvent.Running(instance.lease(), instance.id, at));
    }
  }

  @Override
  public void ready(Instance instance) {
    if (known.contains(instance.lease())) {
      Instant at = time.moment(instance.readyAt);
      wire.send(
          instance
              .setupFailure
              .<CloudEvent>map(why -> new CloudEvent.SetupFailed(instance.lease(), why, at))
              .orElseGet(() -> new CloudEvent.Ready(instance.lease(), instance.node(), at)));
    }
  }

  @Override
  public void leaving(Instance instance) {
    if (known.contains(instance.lease())) {
      String message = "preemption notice of the simulated cloud";
      wire.send(new CloudEvent.Leaving(instance.lease(), message, time.instant()));
    }
  }

  @Override
  public void lost(Instance instance, Loss loss) {
    if (known.contains(instance.lease())) {
      String message = "simulated failure or preemption";
      wire.send(new CloudEvent.Lost(instance.lease(), loss, message, time.instant()));
    }
  }

  @Override
  public void terminated(Instance instance) {
    if (known.contains(instance.lease())) {
      Instant at = time.moment(instance.endedAt);
      wire.send(new CloudEvent.Terminated(instance.lease(), at));
    }
  }

  /** Discards calls that have not taken effect yet. */
  @Override
  public void close() {
    closed = true;
    provider.ignore(this);
    wire.cut();
  }
}
