package io.elastune.executor.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What really happened in a simulated world: the evidence by which a run is judged. */
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

  /** What has been trained. */
  public TrainingBook training() {
    return training;
  }

  /** What has gone wrong, by what the faults of this world do. */
  public Mishaps mishaps() {
    return mishaps;
  }

  /** Whether instances have been made, ended or given up since this was last asked. */
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

  /** The most that instances of one moment cost together, in dollars per hour. */
  public double peakUsdPerHour() {
    return peakUsdPerHour;
  }

  /** Nobody has the run from now on: what it costs until {@link #up} nobody can help. */
  public void down() {
    downSince = time.nanos();
  }

  /** A controller has it again. */
  public void up() {
    downNanos += time.nanos() - downSince;
  }

  /** Seconds in which nobody had the run. */
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

  /** An attempt begins on these instances. */
  void began(List<Instance> under) {
    under.forEach(instance -> instance.use(time.nanos()));
  }

  /** An attempt on these instances has ended. */
  void left(List<Instance> under) {
    under.forEach(instance -> instance.leave(time.nanos()));
  }

  /** Instances that are there and that nobody has asked to be released. */
  public int open() {
    return (int)
        instances.stream().filter(i -> i.alive() && !releaseAsked.containsKey(i.lease())).count();
  }

  /** Instances that are there. */
  public int alive() {
    return (int) instances.stream().filter(Instance::alive).count();
  }

  /** Leases of which there was more than one instance. */
  public int rentedTwice() {
    Set<String> seen = new HashSet<>();
    return (int) instances.stream().filter(i -> !seen.add(i.lease())).count();
  }

  /** Dollars of all instances so far, or up to their end. */
  public double billUsd() {
    return instances.stream().mapToDouble(i -> Meter.usd(i, time.nanos())).sum();
  }

  /** The same, each up to our first request to release it: what the cloud makes of that is its. */
  public double billUpToReleaseUsd() {
    return instances.stream()
        .mapToDouble(i -> Meter.usd(i, releaseAsked.getOrDefault(i.lease(), time.nanos())))
        .sum();
  }

  /** Requests that the cloud refused. */
  public int refusals() {
    return refusals;
  }

  /** Instances that broke, were taken back, or could not be reached any more. */
  public int broken() {
    return broken;
  }
}
