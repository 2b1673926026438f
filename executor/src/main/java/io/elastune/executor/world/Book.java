package io.elastune.executor.world;

import io.elastune.executor.engine.AttemptSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What really happened in a simulated world: the evidence by which a run is judged. */
public final class Book {

  private final Timeline time;
  private final List<Instance> instances = new ArrayList<>();
  private final Map<String, Long> releaseAsked = new HashMap<>();
  private final Map<Integer, Integer> committed = new HashMap<>();
  private final Map<Integer, Integer> furthest = new HashMap<>();
  private final Map<Integer, String> runs = new HashMap<>();
  private final Map<Integer, Integer> failedAttempts = new HashMap<>();
  private final Map<String, Integer> repeatsUntil = new HashMap<>();
  private final Set<Integer> setBack = new HashSet<>();
  private int refusals;
  private int broken;
  private int extraUnits;
  private long lastTrained;
  private boolean changed;

  Book(Timeline time) {
    this.time = time;
  }

  /** Whether instances have been made, ended or given up since this was last asked. */
  public boolean changed() {
    boolean was = changed;
    changed = false;
    return was;
  }

  void refused(String lease) {
    refusals++;
  }

  void created(Instance instance) {
    changed = true;
    instances.add(instance);
  }

  void ended(Instance instance) {
    releaseAsked.putIfAbsent(instance.lease(), time.nanos());
  }

  void broke(Instance instance) {
    broken++;
    releaseAsked.putIfAbsent(instance.lease(), time.nanos());
  }

  void releaseAsked(String lease) {
    releaseAsked.putIfAbsent(lease, time.nanos());
  }

  void began(AttemptSpec spec, List<Instance> under) {
    under.forEach(instance -> instance.use(time.nanos()));
    int trial = spec.trial();
    int newest = Math.min(committed.getOrDefault(trial, 0), spec.to() - 1);
    if (spec.from() < newest) {
      setBack.add(trial);
    }
    // What another attempt of the trial trains at the same time, it trains twice.
    boolean another = runs.containsKey(trial);
    repeatsUntil.put(spec.attempt(), another ? Integer.MAX_VALUE : newest);
    runs.putIfAbsent(trial, spec.attempt());
  }

  void trained(AttemptSpec spec, int unit) {
    lastTrained = time.nanos();
    furthest.merge(spec.trial(), unit, Math::max);
    if (unit <= spec.to() && unit <= repeatsUntil.getOrDefault(spec.attempt(), 0)) {
      extraUnits++;
    }
  }

  void finished(AttemptSpec spec, int exitCode, List<Instance> under) {
    under.forEach(instance -> instance.leave(time.nanos()));
    runs.remove(spec.trial(), spec.attempt());
    if (exitCode != 0) {
      failedAttempts.merge(spec.trial(), 1, Integer::sum);
    }
  }

  /** The controller has been told that the newest whole checkpoint of {@code trial} is this one. */
  public void committed(int trial, int unit) {
    committed.put(trial, unit);
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

  /** Units that {@code trial} has been trained to; 0 for none. */
  public int furthest(int trial) {
    return furthest.getOrDefault(trial, 0);
  }

  /** Attempts of {@code trial} that ended with another code than 0. */
  public int failedAttempts(int trial) {
    return failedAttempts.getOrDefault(trial, 0);
  }

  /** Trials of which an attempt began before their last committed checkpoint. */
  public Set<Integer> setBack() {
    return Set.copyOf(setBack);
  }

  /** Units trained again although a committed checkpoint held them, or side by side. */
  public int extraUnits() {
    return extraUnits;
  }

  /** Attempts of all trials that ended with another code than 0. */
  public int failures() {
    return failedAttempts.values().stream().mapToInt(count -> count).sum();
  }

  /** Requests that the cloud refused. */
  public int refusals() {
    return refusals;
  }

  /** Instances that broke, were taken back, or could not be reached any more. */
  public int broken() {
    return broken;
  }

  /** When the last unit of any trial ended, in nanoseconds. */
  public long lastTrained() {
    return lastTrained;
  }
}
