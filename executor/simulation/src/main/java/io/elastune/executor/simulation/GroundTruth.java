package io.elastune.executor.simulation;

import io.elastune.core.billing.Billing;
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
public final class GroundTruth {
  private final VirtualTime time;
  private final TrainingGroundTruth training = new TrainingGroundTruth();
  private final FaultCounts faultCounts = new FaultCounts();
  private final List<SimulatedInstance> simulatedInstances = new ArrayList<>();
  private final Map<String, Long> releaseAsked = new HashMap<>();

  /**
   * By lease: when its controller first called for its release, and when such a call had effect.
   */
  private final Map<String, Long> releaseCalled = new HashMap<>();

  private final Map<String, Long> releaseDelay = new HashMap<>();
  private int refusals;
  private int broken;
  private int failedNodes;
  private double peakUsdPerHour;
  private double unknownUsd;
  private boolean changed;
  private long downSince;
  private long downNanos;

  GroundTruth(VirtualTime time) {
    this.time = time;
  }

  /** Returns the ground truth of the training. */
  public TrainingGroundTruth training() {
    return training;
  }

  /** Returns the number of injected faults by kind. */
  public FaultCounts faultCounts() {
    return faultCounts;
  }

  /** Returns whether instances were created since the last call. */
  public boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  void requestRefused() {
    refusals++;
  }

  void instanceCreated(SimulatedInstance simulatedInstance) {
    changed = true;
    simulatedInstances.add(simulatedInstance);
    double usdPerHour =
        simulatedInstances.stream()
            .filter(SimulatedInstance::isAlive)
            .mapToDouble(i -> i.offer().usdPerHour())
            .sum();
    peakUsdPerHour = Math.max(peakUsdPerHour, usdPerHour);
  }

  /** Returns the highest total price of the instances that existed at one time, in USD per hour. */
  public double peakUsdPerHour() {
    return peakUsdPerHour;
  }

  /** Records that the run has no controller from now until {@link #controllerStarted}. */
  public void controllerStopped() {
    downSince = time.nanos();
  }

  /** Records that the run has a controller again. */
  public void controllerStarted() {
    downNanos += time.nanos() - downSince;
  }

  /** Returns the total time without a controller, in seconds. */
  public double withoutControllerS() {
    return downNanos / 1e9;
  }

  void instanceEnded(SimulatedInstance simulatedInstance) {
    releaseAsked.putIfAbsent(simulatedInstance.lease(), time.nanos());
  }

  void nodeFailed() {
    failedNodes++;
  }

  void instanceLost() {
    broken++;
  }

  void releaseRequested(String lease) {
    releaseAsked.putIfAbsent(lease, time.nanos());
    if (!releaseDelay.containsKey(lease)) {
      releaseCalled.putIfAbsent(lease, time.nanos());
    }
  }

  void releaseExecuted(String lease) {
    Long called = releaseCalled.remove(lease);
    if (called != null) {
      releaseDelay.put(lease, time.nanos() - called);
    }
  }

  /**
   * Returns the cost at full price of the times from the first call that releases an instance to
   * its effect, in USD. Meanwhile, the controller does not know whether the instance is billed.
   */
  public double delayedReleaseUsd() {
    return simulatedInstances.stream()
        .mapToDouble(
            i -> delayNanos(i.lease()) / 1e9 / Billing.SECONDS_PER_HOUR * i.offer().usdPerHour())
        .sum();
  }

  private long delayNanos(String lease) {
    Long called = releaseCalled.get(lease);
    return called == null ? releaseDelay.getOrDefault(lease, 0L) : time.nanos() - called;
  }

  /** Records that an attempt starts on these instances. */
  void attemptStarted(List<SimulatedInstance> under) {
    under.forEach(simulatedInstance -> simulatedInstance.attemptStarted(time.nanos()));
  }

  /** Records that an attempt on these instances has ended. */
  void attemptEnded(String attempt, List<SimulatedInstance> under) {
    under.forEach(simulatedInstance -> simulatedInstance.attemptEnded(attempt, time.nanos()));
  }

  /** Records that a controller has received the end of an attempt. */
  public void endReported(String attempt) {
    simulatedInstances.forEach(simulatedInstance -> simulatedInstance.endReported(attempt));
  }

  /**
   * Records that the controller decides to stop the run.
   *
   * @param assumedS for how long the leases of which it has not received that they run may have
   *     done so, since their request by its clock
   * @param clockS seconds by which its clock may be ahead of the cloud's, as far as it can know:
   *     the shortest delay of a report that an instance runs
   */
  public void stopDecided(Map<String, Double> assumedS, double clockS) {
    unknownUsd =
        simulatedInstances.stream()
            .mapToDouble(
                instance ->
                    BillingMeter.unknownUseUsd(instance, time.nanos())
                        + BillingMeter.unknownBeginUsd(instance, clockS)
                        + unknownStartUsd(instance, assumedS.getOrDefault(instance.lease(), 0.0)))
            .sum();
  }

  private double unknownStartUsd(SimulatedInstance instance, double assumedS) {
    double ranS = Math.max(0, time.nanos() - instance.runningAt) / 1e9;
    return Math.max(0, assumedS - ranS)
        / Billing.SECONDS_PER_HOUR
        * (instance.offer().usdPerHour() + instance.offer().diskUsdPerHour());
  }

  /**
   * Returns the cost that the controller had to assume when it decided to stop the run, in USD: it
   * had not received that attempts had ended, or when instances had started.
   */
  public double unknownUsd() {
    return unknownUsd;
  }

  /** Returns the number of existing instances whose release was not requested. */
  public int unreleasedCount() {
    return (int)
        simulatedInstances.stream()
            .filter(i -> i.isAlive() && !releaseAsked.containsKey(i.lease()))
            .count();
  }

  /** Returns the number of existing instances. */
  public int aliveCount() {
    return (int) simulatedInstances.stream().filter(SimulatedInstance::isAlive).count();
  }

  /** Returns the number of instances beyond one per lease. */
  public int duplicateInstances() {
    Set<String> seen = new HashSet<>();
    return (int) simulatedInstances.stream().filter(i -> !seen.add(i.lease())).count();
  }

  /** Returns the cost of all instances until now, in USD. */
  public double costUsd() {
    return simulatedInstances.stream().mapToDouble(i -> BillingMeter.usd(i, time.nanos())).sum();
  }

  /**
   * Returns the cost of all instances in USD, each until its release was first requested: the run
   * cannot control how fast the cloud terminates it.
   */
  public double costUntilReleaseUsd() {
    return simulatedInstances.stream()
        .mapToDouble(i -> BillingMeter.usd(i, releaseAsked.getOrDefault(i.lease(), time.nanos())))
        .sum();
  }

  /** Returns the number of requests that the cloud refused. */
  public int refusalCount() {
    return refusals;
  }

  /** Returns the number of nodes that could not become ready. */
  public int failedNodeCount() {
    return failedNodes;
  }

  /** Returns the number of instances that failed, were preempted or lost contact. */
  public int lostCount() {
    return broken;
  }
}
