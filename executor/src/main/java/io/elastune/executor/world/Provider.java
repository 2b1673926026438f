package io.elastune.executor.world;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.Refusal;
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
final class Provider {
  private static final String NO_CAPACITY = "no capacity for this instance type at present";

  /** The slowdown factor of a slow boot: minimum and maximum. */
  private static final double[] SLOW_BOOT_FACTORS = {3, 20};

  /** The fraction of instances refused when a group of requests is only partially fulfilled. */
  private static final double PARTIAL_REFUSAL = 0.5;

  /** Receives the true state changes of instances. */
  interface Watcher {
    void running(Instance instance);

    void ready(Instance instance);

    void leaving(Instance instance);

    void lost(Instance instance, Loss loss);

    void terminated(Instance instance);
  }

  private final Timeline time;
  private final Chance chance;
  private final Faults faults;
  private final Book book;
  private final Function<NodeSetup, Optional<String>> setups;
  private final Waits waits;
  private final Map<String, Instance> instances = new LinkedHashMap<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private final DeadManTimers timers;
  private long batchAt = -1;
  private boolean batchIsPartial;
  private int created;

  /**
   * Creates a provider without instances.
   *
   * @param setups returns the error of a setup that fails
   * @param waits the queueing and boot times of instances
   */
  Provider(
      Timeline time,
      Chance chance,
      Faults faults,
      Book book,
      Function<NodeSetup, Optional<String>> setups,
      Waits waits) {
    this.time = time;
    this.chance = chance;
    this.faults = faults;
    this.book = book;
    this.setups = setups;
    this.waits = waits;
    timers = new DeadManTimers(time, this::shutDown);
    if (faults.preemptMeanS() > 0) {
      preemptLater(chance.at("preempt"));
    }
  }

  void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  void ignore(Watcher watcher) {
    watchers.remove(watcher);
  }

  Optional<Instance> find(String lease) {
    return Optional.ofNullable(instances.get(lease));
  }

  /**
   * Creates an instance unless the lease already has one. Returns the reason if the request is
   * refused.
   */
  Optional<Refusal> create(LeaseRequest request, LifeLimit limit) {
    if (instances.containsKey(request.lease())) {
      return Optional.empty();
    }
    if (refuses(request)) {
      book.refused();
      return Optional.of(Refusal.CAPACITY);
    }
    Instance instance = new Instance("i-" + ++created, request);
    timers.set(instance, limit);
    instances.put(request.lease(), instance);
    book.created(instance);
    Chance own = chance.at("instance").at(request.lease());
    double queueS = waits.queueS(request);
    double bootS = waits.bootS(request);
    Chance slow = own.at("slow");
    if (slow.happens(faults.slowBoot())) {
      bootS *= slow.between(SLOW_BOOT_FACTORS[0], SLOW_BOOT_FACTORS[1]);
      book.mishaps().count(Mishap.SLOW_BOOT);
    }
    double boots = bootS;
    time.after(queueS, () -> run(instance, boots, own));
    return Optional.empty();
  }

  static String message(Refusal refusal) {
    return refusal == Refusal.CAPACITY ? NO_CAPACITY : refusal.name().toLowerCase(Locale.ROOT);
  }

  private boolean refuses(LeaseRequest request) {
    Chance own = chance.at("refuse").at(request.lease()).at(time.nanos());
    if (batchAt != time.nanos()) {
      batchAt = time.nanos();
      batchIsPartial = own.at("batch").happens(faults.partial());
      return refuses(own, faults.refused(), Mishap.REFUSED);
    }
    return batchIsPartial
        ? refuses(own, PARTIAL_REFUSAL, Mishap.PARTIAL)
        : refuses(own, faults.refused(), Mishap.REFUSED);
  }

  private boolean refuses(Chance own, double probability, Mishap mishap) {
    boolean refuses = own.happens(probability);
    if (refuses) {
      book.mishaps().count(mishap);
    }
    return refuses;
  }

  private void run(Instance instance, double bootS, Chance own) {
    if (instance.state != Instance.State.PENDING) {
      return;
    }
    instance.state = Instance.State.BOOTING;
    instance.runningAt = time.nanos();
    notifyWatchers(watcher -> watcher.running(instance));
    timers.start(instance);
    time.after(bootS, () -> setUp(instance));
    if (faults.vanishMeanS() > 0) {
      Chance failure = own.at("vanish");
      boolean silent = failure.happens(faults.contactLost());
      time.after(failure.waiting(faults.vanishMeanS()), () -> fail(instance, silent));
    }
    Chance disk = own.at("disk");
    if (disk.happens(faults.fullDisk())) {
      double whenS = disk.waiting(bootS + 600);
      time.after(whenS, () -> fill(instance));
    }
  }

  private void fill(Instance instance) {
    if (instance.alive()) {
      instance.diskFull = true;
      book.mishaps().count(Mishap.DISK_FULL);
    }
  }

  private void setUp(Instance instance) {
    if (instance.state != Instance.State.BOOTING) {
      return;
    }
    instance.setupFailure = instance.request.setup().flatMap(setups);
    boolean well = instance.setupFailure.isEmpty();
    instance.state = well ? Instance.State.READY : Instance.State.SETUP_FAILED;
    instance.readyAt = time.nanos();
    notifyWatchers(watcher -> watcher.ready(instance));
  }

  private void fail(Instance instance, boolean silent) {
    if (!instance.alive()) {
      return;
    }
    if (silent) {
      instance.reachable = false;
      book.broke();
      book.mishaps().count(Mishap.UNREACHABLE);
      notifyWatchers(watcher -> watcher.lost(instance, Loss.LOST_CONTACT));
    } else {
      lose(instance, Loss.FAILED);
    }
  }

  private void lose(Instance instance, Loss loss) {
    end(instance);
    if (!instance.leaving) { // otherwise it was recorded with the notice
      book.broke();
      book.mishaps().count(loss == Loss.PREEMPTED ? Mishap.PREEMPTED : Mishap.BROKEN);
    }
    notifyWatchers(watcher -> watcher.lost(instance, loss));
  }

  /** Preempts an instance, after its notice period if there is one. */
  private void preempt(Instance instance) {
    if (faults.noticeS() == 0) {
      lose(instance, Loss.PREEMPTED);
      return;
    }
    if (instance.leaving) {
      return;
    }
    instance.leaving = true;
    book.broke();
    book.mishaps().count(Mishap.PREEMPTED);
    notifyWatchers(watcher -> watcher.leaving(instance));
    time.after(
        faults.noticeS(),
        () -> {
          if (instance.alive()) {
            lose(instance, Loss.PREEMPTED);
          }
        });
  }

  private void preemptLater(Chance when) {
    time.after(
        when.waiting(faults.preemptMeanS()),
        () -> {
          double share = when.between(0.2, 1);
          List<Instance> victims =
              instances.values().stream()
                  .filter(i -> i.alive() && i.runningAt != Instance.NEVER && when.happens(share))
                  .toList();
          victims.forEach(this::preempt);
          preemptLater(when);
        });
  }

  /** Terminates an instance, which ends its billing. Has no effect on a terminated instance. */
  void terminate(String lease) {
    find(lease)
        .filter(Instance::alive)
        .ifPresent(
            instance -> {
              end(instance);
              notifyWatchers(watcher -> watcher.terminated(instance));
            });
  }

  private void end(Instance instance) {
    instance.state = Instance.State.TERMINATED;
    instance.endedAt = time.nanos();
    book.ended(instance);
  }

  private void notifyWatchers(Consumer<Watcher> event) {
    List.copyOf(watchers).forEach(event);
  }

  /** Sets the expiry limit of all nodes. */
  void limitLives(LifeLimit limit) {
    instances.values().stream().filter(Instance::alive).forEach(node -> timers.set(node, limit));
  }

  /** Records that a controller is active and renews the expiry of all nodes. */
  void attended() {
    timers.attended();
  }

  /** Records that no controller is active: the nodes shut down after their dead-man time. */
  void unattended() {
    timers.unattended(instances.values());
  }

  private void shutDown(Instance instance) {
    book.mishaps().count(Mishap.ENDED_ITSELF);
    terminate(instance.lease());
  }

  /** Returns the instances with the tag of {@code run} that are not terminated. */
  List<InstanceInfo> list(String run) {
    return instances.values().stream()
        .filter(instance -> instance.alive() && run.equals(instance.request.tags().get(Tags.RUN)))
        .map(
            instance ->
                new InstanceInfo(
                    instance.id, instance.lease(), instance.state.name().toLowerCase(Locale.ROOT)))
        .toList();
  }
}
