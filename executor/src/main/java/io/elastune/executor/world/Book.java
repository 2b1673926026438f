package io.elastune.executor.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Records the ground truth of a simulated environment: what really happened to its instances and
 * trials. Runs are checked against it.
 */
public final class Book {
  private final Timeline time;
  private final TrainingBook training = new TrainingBook();
  private final Mishaps mishaps = new Mishaps();
  private final List<Instance> instances = new ArrayList<>();
  private final Map<String, Long> releaseAsked = new HashMap<>();
  private int refusals;
  private int broken;
  private double peakUsdPerHour;
  private boolean changed;
  private long downSince;
  private long downNanos;

  Book(Timeline time) {
    this.time = time;
  }

  /** Returns the ground truth of the training. */
  public TrainingBook training() {
    return training;
  }

  /** Returns the number of injected faults by kind. */
  public Mishaps mishaps() {
    return mishaps;
  }

  /** Returns whether instances were created since the last call. */
  public boolean changed() {
    boolean was = changed;
    changed = false;
    return was;
  }

  void refused() {
    refusals++;
  }

  void created(Instance instance) {
    changed = true;
    instances.add(instance);
    double usdPerHour =
        instances.stream().filter(Instance::alive).mapToDouble(i -> i.offer().usdPerHour()).sum();
    peakUsdPerHour = Math.max(peakUsdPerHour, usdPerHour);
  }

  /** Returns the highest total price of the instances that existed at one time, in USD per hour. */
  public double peakUsdPerHour() {
    return peakUsdPerHour;
  }

  /** Records that the run has no controller from now until {@link #up}. */
  public void down() {
    downSince = time.nanos();
  }

  /** Records that the run has a controller again. */
  public void up() {
    downNanos += time.nanos() - downSince;
  }

  /** Returns the total time without a controller, in seconds. */
  public double downS() {
    return downNanos / 1e9;
  }

  void ended(Instance instance) {
    releaseAsked.putIfAbsent(instance.lease(), time.nanos());
  }

  void broke() {
    broken++;
  }

  void releaseAsked(String lease) {
    releaseAsked.putIfAbsent(lease, time.nanos());
  }

  /** Records that an attempt starts on these instances. */
  void began(List<Instance> under) {
    under.forEach(instance -> instance.use(time.nanos()));
  }

  /** Records that an attempt on these instances has ended. */
  void left(List<Instance> under) {
    under.forEach(instance -> instance.leave(time.nanos()));
  }

  /** Returns the number of existing instances whose release was not requested. */
  public int open() {
    return (int)
        instances.stream().filter(i -> i.alive() && !releaseAsked.containsKey(i.lease())).count();
  }

  /** Returns the number of existing instances. */
  public int alive() {
    return (int) instances.stream().filter(Instance::alive).count();
  }

  /** Returns the number of instances beyond one per lease. */
  public int rentedTwice() {
    Set<String> seen = new HashSet<>();
    return (int) instances.stream().filter(i -> !seen.add(i.lease())).count();
  }

  /** Returns the cost of all instances until now, in USD. */
  public double billUsd() {
    return instances.stream().mapToDouble(i -> Meter.usd(i, time.nanos())).sum();
  }

  /**
   * Returns the cost of all instances in USD, each until its release was first requested: the run
   * cannot control how fast the cloud terminates it.
   */
  public double billUpToReleaseUsd() {
    return instances.stream()
        .mapToDouble(i -> Meter.usd(i, releaseAsked.getOrDefault(i.lease(), time.nanos())))
        .sum();
  }

  /** Returns the number of requests that the cloud refused. */
  public int refusals() {
    return refusals;
  }

  /** Returns the number of instances that failed, were preempted or lost contact. */
  public int broken() {
    return broken;
  }
}
