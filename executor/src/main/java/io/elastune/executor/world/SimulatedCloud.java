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
 * One controller's door to the simulated provider. Calls may be throttled or time out, before or
 * after they took effect; calls about one lease keep their order. Of a lease whose request timed
 * out nothing is told until it is asked for again.
 */
final class SimulatedCloud implements Cloud, Provider.Watcher {
  /** Seconds after which a call without an answer is repeated. */
  private static final double AGAIN_S = 5;

  private final Timeline time;
  private final Provider provider;
  private final Book book;
  private final Chance chance;
  private final Faults.Calls faults;
  private final Wire<CloudEvent> wire;
  private final Set<String> known = new HashSet<>();
  private final Map<String, Long> lastCall = new HashMap<>();
  private LifeLimit limit = LifeLimit.NONE;
  private boolean nodesHaveHeard = true;

  /** What is put off until nodes have heard of the limit: requests, and what came after them. */
  private final Map<String, List<Runnable>> putOff = new LinkedHashMap<>();

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
    time.after(0, this::beThere);
  }

  @Override
  public void request(LeaseRequest request) {
    call(
        request.lease(),
        answered -> {
          if (nodesHaveHeard) {
            rent(request, answered);
          } else {
            putOff(request.lease(), () -> rent(request, answered));
          }
        });
  }

  private void rent(LeaseRequest request, boolean answered) {
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
            provider.find(request.lease()).ifPresentOrElse(this::tellAll, () -> gone(request));
          }
        });
  }

  private void gone(LeaseRequest request) {
    wire.send(new CloudEvent.Terminated(request.lease(), time.instant()));
  }

  private void tellAll(Instance instance) {
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
          boolean ends = instance.filter(Instance::alive).isPresent();
          if (answered) {
            known.add(lease);
          }
          provider.terminate(lease);
          if (!ends && answered) {
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

  /** Also a controller that has no limit to tell has to be heard of. */
  private void beThere() {
    if (!limit.exists()) {
      tell(limit);
    }
  }

  /** Instances still to come are made with it, as soon as those that are there are told of it. */
  @Override
  public void limitLives(LifeLimit other) {
    limit = other;
    nodesHaveHeard = !other.exists();
    tell(other);
  }

  private void putOff(String lease, Runnable effect) {
    putOff.computeIfAbsent(lease, some -> new ArrayList<>()).add(effect);
  }

  /**
   * Tells nodes that a controller is there, and by when they are to end: one call does both. It is
   * repeated until it has been carried out, for that does no harm.
   */
  private void tell(LifeLimit told) {
    if (closed || !told.equals(limit)) {
      return;
    }
    if (happens(faults.throttled(), Mishap.THROTTLED)) {
      time.after(chance.waiting(faults.throttledMeanS()), () -> tell(told));
    } else if (happens(faults.timedOutBefore(), Mishap.TIMED_OUT_BEFORE)) {
      time.after(AGAIN_S, () -> tell(told));
    } else {
      provider.attended();
      provider.limitLives(told);
      nodesHaveHeard = true;
      List<List<Runnable>> due = List.copyOf(putOff.values());
      putOff.clear();
      due.forEach(effects -> effects.forEach(Runnable::run));
    }
  }

  /** What a call does; it is told whether its answer will be heard. */
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
    boolean vain = happens(faults.timedOutBefore(), Mishap.TIMED_OUT_BEFORE);
    boolean answered = !happens(faults.timedOutAfter(), Mishap.TIMED_OUT_AFTER);
    if (vain || closed) {
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
          if (!closed && putOff.containsKey(lease)) {
            putOff(lease, () -> effect.take(answered));
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
      String message = "the simulated world takes it back soon";
      wire.send(new CloudEvent.Leaving(instance.lease(), message, time.instant()));
    }
  }

  @Override
  public void lost(Instance instance, Loss loss) {
    if (known.contains(instance.lease())) {
      String message = "the simulated world took it away";
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

  /** Calls that have not taken effect yet never do. */
  @Override
  public void close() {
    closed = true;
    provider.ignore(this);
    wire.cut();
  }
}
