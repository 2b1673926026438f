package io.elastune.executor.ray.rented;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Instances of a fake cloud, which exist without their controller. They run no setup. */
final class FakeInstances {
  private static final class Instance {
    private final LeaseRequest request;
    private volatile @Nullable Instant running;
    private volatile @Nullable Instant ended;

    Instance(LeaseRequest request) {
      this.request = request;
    }
  }

  private final Map<String, Instance> instances = new ConcurrentHashMap<>();

  /** Whether the cloud refuses requests. */
  volatile boolean refuses;

  /** Why a join script fails; empty if it succeeds. */
  volatile String failure = "";

  /** The consumer of the open cloud. */
  private volatile Consumer<CloudEvent> events = event -> {};

  Cloud open(Consumer<CloudEvent> consumer) {
    events = consumer;
    return new View(consumer);
  }

  /** Returns the request with which an instance was rented. */
  LeaseRequest request(String lease) {
    return instances.get(lease).request;
  }

  /** Returns the leases of the instances that are billed. */
  List<String> existing() {
    return instances.values().stream()
        .filter(instance -> instance.ended == null)
        .map(instance -> instance.request.lease())
        .toList();
  }

  /** Announces an interruption. */
  void announce(String lease) {
    events.accept(new CloudEvent.Leaving(lease, "interruption", Instant.now()));
  }

  /** Interrupts an instance. */
  void preempt(String lease) {
    Instance instance = instances.get(lease);
    instance.ended = Instant.now();
    events.accept(new CloudEvent.Lost(lease, LossReason.PREEMPTED, "interrupted", Instant.now()));
    events.accept(new CloudEvent.Terminated(lease, instance.ended));
  }

  private static Duration time(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  private final class View implements Cloud {
    private final Consumer<CloudEvent> consumer;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    View(Consumer<CloudEvent> consumer) {
      this.consumer = consumer;
    }

    @Override
    public void request(LeaseRequest request) {
      if (refuses) {
        later(
            Duration.ZERO,
            () ->
                consumer.accept(
                    new CloudEvent.Refused(
                        request.lease(), RefusalReason.CAPACITY, "none left", Instant.now())));
        return;
      }
      if (instances.containsKey(request.lease())) {
        return;
      }
      Instance instance = new Instance(request);
      instances.put(request.lease(), instance);
      later(time(request.offer().queueS().mean()), () -> runs(instance));
    }

    private void runs(Instance instance) {
      if (instance.ended == null) {
        instance.running = Instant.now();
        tellRunning(instance);
        later(time(instance.request.offer().bootS().mean()), () -> booted(instance));
      }
    }

    private void tellRunning(Instance instance) {
      String lease = instance.request.lease();
      Optional.ofNullable(instance.running)
          .ifPresent(at -> consumer.accept(new CloudEvent.Running(lease, "i-" + lease, at)));
    }

    private void booted(Instance instance) {
      if (instance.ended != null) {
        return;
      }
      Offer offer = instance.request.offer();
      List<String> slots = IntStream.range(0, offer.gpus()).mapToObj(Integer::toString).toList();
      String lease = instance.request.lease();
      consumer.accept(
          failure.isEmpty()
              ? new CloudEvent.Ready(lease, new Node("10.0.0.9", slots, slots), Instant.now())
              : new CloudEvent.PreparationFailed(
                  lease, PreparationStep.JOIN, failure, Instant.now()));
    }

    @Override
    public void adopt(LeaseRequest request) {
      later(
          Duration.ZERO,
          () -> {
            Instance instance = instances.get(request.lease());
            if (instance == null) {
              consumer.accept(new CloudEvent.Terminated(request.lease(), Instant.now()));
              return;
            }
            tellRunning(instance);
            Instant ended = instance.ended;
            if (ended != null) {
              consumer.accept(new CloudEvent.Terminated(request.lease(), ended));
            } else {
              booted(instance);
            }
          });
    }

    @Override
    public void confirmBoot(String lease) {
      later(Duration.ZERO, () -> booted(instances.get(lease)));
    }

    @Override
    public void release(String lease) {
      Instance instance = instances.get(lease);
      if (instance != null && instance.ended == null) {
        instance.ended = Instant.now();
      }
      later(
          Duration.ZERO,
          () -> {
            Instant ended = instance == null ? null : instance.ended;
            consumer.accept(
                new CloudEvent.Terminated(lease, ended == null ? Instant.now() : ended));
          });
    }

    @Override
    public void list(String run) {
      List<InstanceInfo> found = new ArrayList<>();
      for (Instance instance : instances.values()) {
        if (instance.ended == null && instance.request.run().equals(run)) {
          String lease = instance.request.lease();
          found.add(new InstanceInfo("i-" + lease, lease, "running"));
        }
      }
      later(Duration.ZERO, () -> consumer.accept(new CloudEvent.Listed(run, found, Instant.now())));
    }

    private void later(Duration delay, Runnable task) {
      try {
        var unused = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        return; // the controller has ended
      }
    }

    @Override
    public void close() {
      var unused = thread.shutdownNow();
    }
  }
}
