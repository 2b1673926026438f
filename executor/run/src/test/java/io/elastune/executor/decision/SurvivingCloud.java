package io.elastune.executor.decision;

import io.elastune.core.offer.Offer;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The instances of an {@link SurvivingEnvironment}, with an independent meter. */
final class SurvivingCloud implements Cloud {
  private static final class Instance {
    final String offer;
    Optional<Instant> running = Optional.empty();
    Optional<Instant> ready = Optional.empty();
    Optional<Instant> ended = Optional.empty();
    boolean released;

    Instance(String offer) {
      this.offer = offer;
    }
  }

  private final RunDefinition definition;
  private final VirtualClock clock;
  private final Consumer<CloudEvent> events;
  private final Consumer<String> endWorkers;
  private final Map<String, Instance> instances = new TreeMap<>();
  private int mostHeld;

  /**
   * Creates a cloud without instances.
   *
   * @param endWorkers is called for each instance that ends
   */
  SurvivingCloud(
      RunDefinition definition,
      VirtualClock clock,
      Consumer<CloudEvent> events,
      Consumer<String> endWorkers) {
    this.definition = definition;
    this.clock = clock;
    this.events = events;
    this.endWorkers = endWorkers;
  }

  @Override
  public void request(LeaseRequest request) {
    String lease = request.lease();
    if (instances.containsKey(lease)) {
      throw new AssertionError("a second instance for the intent " + lease);
    }
    Offer offer = request.offer();
    Instance instance = new Instance(offer.name());
    instances.put(lease, instance);
    mostHeld = Math.max(mostHeld, (int) instances.values().stream().filter(this::held).count());
    clock.later(offer.queueS().mean(), () -> nowRunning(lease, instance, offer));
  }

  private boolean held(Instance instance) {
    return !instance.released && instance.ended.isEmpty();
  }

  private void nowRunning(String lease, Instance instance, Offer offer) {
    if (instance.ended.isPresent()) {
      return;
    }
    instance.running = Optional.of(clock.now());
    events.accept(new CloudEvent.Running(lease, "i", clock.now()));
    clock.later(
        offer.bootS().mean(),
        () -> {
          if (instance.ended.isEmpty()) {
            instance.ready = Optional.of(clock.now());
            events.accept(ready(lease, offer));
          }
        });
  }

  private CloudEvent ready(String lease, Offer offer) {
    Node node = new Node("127.0.0.1", Collections.nCopies(offer.gpus(), "0"));
    return new CloudEvent.Ready(lease, node, clock.now());
  }

  @Override
  public void adopt(LeaseRequest request) {
    clock.later(1, () -> tellWhatHasBecomeOf(request.lease()));
  }

  private void tellWhatHasBecomeOf(String lease) {
    Instance instance = instances.get(lease);
    if (instance == null) {
      events.accept(new CloudEvent.Terminated(lease, clock.now()));
      return;
    }
    instance.running.ifPresent(at -> events.accept(new CloudEvent.Running(lease, "i", at)));
    if (instance.ended.isPresent()) {
      events.accept(new CloudEvent.Terminated(lease, instance.ended.get()));
    } else if (instance.ready.isPresent()) {
      events.accept(ready(lease, definition.offer(instance.offer)));
    }
  }

  @Override
  public void release(String lease) {
    Instance instance = instances.get(lease);
    if (instance != null) {
      instance.released = true;
      end(lease, instance);
    }
    Instant ended = instance == null ? clock.now() : instance.ended.orElse(clock.now());
    clock.later(0.5, () -> events.accept(new CloudEvent.Terminated(lease, ended)));
  }

  /** Shuts down all instances. */
  void endAll() {
    instances.forEach(this::end);
  }

  private void end(String lease, Instance instance) {
    if (instance.ended.isEmpty()) {
      instance.ended = Optional.of(clock.now());
      endWorkers.accept(lease);
    }
  }

  @Override
  public void list(String run) {
    List<InstanceInfo> alive =
        instances.entrySet().stream()
            .filter(entry -> entry.getValue().ended.isEmpty())
            .map(entry -> new InstanceInfo("i", entry.getKey(), "running"))
            .toList();
    Instant at = clock.now();
    clock.later(0.5, () -> events.accept(new CloudEvent.Listed(run, alive, at)));
  }

  /** Whether no instance is left. */
  @Override
  public void close() {}

  long alive() {
    return instances.values().stream().filter(i -> i.ended.isEmpty()).count();
  }

  /** The maximum number of instances at one time. */
  int mostHeld() {
    return mostHeld;
  }

  /** The bill by the ground truth of the environment: at least a minute, then by the second. */
  double billUsd() {
    double usd = 0;
    for (Instance instance : instances.values()) {
      if (instance.running.isPresent()) {
        Instant ended = instance.ended.orElse(clock.now());
        double seconds = Seconds.between(instance.running.get(), ended);
        // A lease of zero length costs nothing, as in the ledger.
        double least = seconds > 0 ? 60 : 0;
        double billed = Math.max(least, Math.ceil(seconds - 1e-6));
        usd += billed * definition.offer(instance.offer).usdPerHour() / 3600;
      }
    }
    return usd;
  }
}
