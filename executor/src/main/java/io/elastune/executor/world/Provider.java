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

/** The cloud itself, as it really is, whoever asks and whatever is heard of it. */
final class Provider {
  private static final String NO_CAPACITY = "none of that kind is free at present";

  /** How many times slower a slow boot is, at least and at most. */
  private static final double[] SLOWER = {3, 20};

  /** Of instances requested together, the part that is refused where fulfilment is partial. */
  private static final double PART = 0.5;

  /** Hears what really happens to instances. */
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
   * @param setups says how a setup fails, if it does
   * @param waits how long instances take to come
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
    timers = new DeadManTimers(time, this::endItself);
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

  /** Rents one, unless the lease has one already; says why not. */
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
      bootS *= slow.between(SLOWER[0], SLOWER[1]);
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
        ? refuses(own, PART, Mishap.PARTIAL)
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
    tell(watcher -> watcher.running(instance));
    timers.start(instance);
    time.after(bootS, () -> setUp(instance));
    if (faults.vanishMeanS() > 0) {
      Chance fate = own.at("vanish");
      boolean silent = fate.happens(faults.contactLost());
      time.after(fate.waiting(faults.vanishMeanS()), () -> fail(instance, silent));
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
    tell(watcher -> watcher.ready(instance));
  }

  private void fail(Instance instance, boolean silent) {
    if (!instance.alive()) {
      return;
    }
    if (silent) {
      instance.reachable = false;
      book.broke();
      book.mishaps().count(Mishap.UNREACHABLE);
      tell(watcher -> watcher.lost(instance, Loss.LOST_CONTACT));
    } else {
      lose(instance, Loss.FAILED);
    }
  }

  private void lose(Instance instance, Loss loss) {
    end(instance);
    if (!instance.leaving) { // else it is in the book since the notice
      book.broke();
      book.mishaps().count(loss == Loss.PREEMPTED ? Mishap.PREEMPTED : Mishap.BROKEN);
    }
    tell(watcher -> watcher.lost(instance, loss));
  }

  /** Takes an instance back, with what notice there is. */
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
    tell(watcher -> watcher.leaving(instance));
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

  /** Ends an instance; billing ends with it. Ending what has ended changes nothing. */
  void terminate(String lease) {
    find(lease)
        .filter(Instance::alive)
        .ifPresent(
            instance -> {
              end(instance);
              tell(watcher -> watcher.terminated(instance));
            });
  }

  private void end(Instance instance) {
    instance.state = Instance.State.TERMINATED;
    instance.endedAt = time.nanos();
    book.ended(instance);
  }

  private void tell(Consumer<Watcher> news) {
    List.copyOf(watchers).forEach(news);
  }

  /** By when all nodes are to have ended unless they hear of another limit. */
  void limitLives(LifeLimit limit) {
    instances.values().stream().filter(Instance::alive).forEach(node -> timers.set(node, limit));
  }

  /** A controller has been heard of, and keeps nodes alive. */
  void attended() {
    timers.attended();
  }

  /** Nobody keeps nodes alive any more: they end themselves when their time has come. */
  void unattended() {
    timers.unattended(instances.values());
  }

  private void endItself(Instance instance) {
    book.mishaps().count(Mishap.ENDED_ITSELF);
    terminate(instance.lease());
  }

  /** What carries the tag of {@code run} and is not terminated. */
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
