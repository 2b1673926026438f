package io.elastune.simulator;

import io.elastune.core.search.PoolPlacement;
import io.elastune.core.search.PoolRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Simulates chains that share instances in one sample with faults, from event to event. Without a
 * fault, it gives the same times as {@link io.elastune.core.search.PoolTimeline}.
 */
final class FaultyPoolRun extends FaultyTaskRun<FaultyPoolChain> {
  /** By group of all chains: when it ended. */
  final double[] endS;

  /** By group of all chains: the GPU-seconds of its attempts. */
  final double[] gpuSeconds;

  private final CompiledPoolPlan plan;
  private final List<FaultyPoolChain> chains = new ArrayList<>();
  private final PoolPlacement.Starts starts = this::start;
  private int started;

  /**
   * @param trialsOf returns the trials of a group by its index among those of all chains
   */
  FaultyPoolRun(CompiledPoolPlan plan, FaultyCluster cluster, IntFunction<FaultyTrials> trialsOf) {
    super(cluster, plan.hazards, plan.checkpointS, plan.gpusPerInstance);
    this.plan = plan;
    endS = new double[plan.groups.size()];
    gpuSeconds = new double[plan.groups.size()];
    int first = 0;
    for (int chain = 0; chain < plan.chains.size(); chain++) {
      chains.add(
          new FaultyPoolChain(
              chain, plan.chains.get(chain), plan.gpusPerInstance, first, trialsOf));
      first += plan.chains.get(chain).size();
    }
    chains.sort(FaultyPoolChain::compareTo);
  }

  /** Simulates all chains and releases all instances. */
  void run() {
    cluster.request(plan.instances, 0, 0);
    while (isActive()) {
      advance(FaultyLease.NEVER);
      if (endsSearch) {
        discard();
        break;
      }
      cluster.failBoots(nowS);
      serve();
      release();
    }
    cluster.releaseAll(0, 0, nowS);
  }

  private boolean isActive() {
    boolean isActive = false;
    for (int i = 0; i < chains.size(); i++) {
      isActive |= chains.get(i).isActive();
    }
    return isActive;
  }

  /** Ends all tasks because a trial has reported the metric that ends the search. */
  private void discard() {
    FaultyTask<FaultyPoolChain> task = firstRunning();
    while (task != null) {
      stop(task);
      task = firstRunning();
    }
    chains.forEach(chain -> chain.endAt(nowS, endS));
  }

  @Override
  void replace(FaultyLease lost) {
    lost.release(0, 0, nowS);
    int needed = plan.hold ? plan.instances : Math.min(plan.instances, neededInstances());
    if (cluster.held.size() < needed) {
      cluster.replace(lost, 0, nowS);
    }
  }

  @Override
  boolean crashes(FaultyTask<FaultyPoolChain> task) {
    return task.owner.trials().crashes(task.attempt.trial);
  }

  @Override
  void stopClock(FaultyTask<FaultyPoolChain> task) {
    task.owner.trials().stopClock(task.attempt.trial);
  }

  /** The trial waits again. */
  @Override
  void interrupt(FaultyTask<FaultyPoolChain> task, Fault fault) {
    int trial = task.attempt.trial;
    if (fault.isOfInstance()) {
      task.owner.trials().passed(task.attempt, nowS);
    }
    task.owner.trials().interrupt(trial, kept(task, fault));
    stop(task);
    task.owner.await(trial);
  }

  private void stop(FaultyTask<FaultyPoolChain> task) {
    end(task);
    gpuSeconds[task.owner.group()] += (nowS - task.attempt.startS) * task.gpus;
  }

  @Override
  void finish(FaultyTask<FaultyPoolChain> task) {
    FaultyPoolChain chain = task.owner;
    stop(task);
    if (chain.trials().isTorn(task.attempt.trial)) {
      chain.trials().passed(task.attempt, nowS);
      start(chain, task.attempt.trial, task.lease, task.firstGpu, task.order);
      return;
    }
    int group = chain.group();
    if (chain.completeOne()) {
      endS[group] = nowS;
      chains.sort(FaultyPoolChain::compareTo);
    }
  }

  private void serve() {
    if (!isWaiting() || !hasFreeGpu()) {
      return;
    }
    int count = cluster.held.size();
    long[] taken = new long[count];
    boolean[] held = new boolean[count];
    boolean[] isReady = new boolean[count];
    for (int i = 0; i < count; i++) {
      FaultyLease lease = cluster.held.get(i);
      taken[i] = lease.takenGpus;
      held[i] = true;
      isReady[i] = lease.takesTasks;
    }
    PoolPlacement placement = new PoolPlacement(gpusPerInstance, taken, held, isReady);
    for (int i = 0; i < chains.size(); i++) {
      FaultyPoolChain chain = chains.get(i);
      if (chain.isActive() && chain.waitingCount() > 0) {
        placement.place(i, chain.waitingCount(), chain.gpus(), starts);
      }
    }
  }

  private boolean isWaiting() {
    for (int i = 0; i < chains.size(); i++) {
      FaultyPoolChain chain = chains.get(i);
      if (chain.isActive() && chain.waitingCount() > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean hasFreeGpu() {
    for (int i = 0; i < cluster.held.size(); i++) {
      if (firstFree(cluster.held.get(i), 1) >= 0) {
        return true;
      }
    }
    return false;
  }

  private void start(int chain, int instance, int firstGpu, int gpus) {
    FaultyPoolChain of = chains.get(chain);
    start(of, of.takeFirst(), cluster.held.get(instance), firstGpu, started++);
  }

  private void start(FaultyPoolChain chain, int trial, FaultyLease lease, int firstGpu, int order) {
    FaultyAttempt attempt = chain.trials().attempt(trial, slot(lease), nowS);
    start(new FaultyTask<>(attempt, chain, lease, firstGpu, chain.gpus(), order));
  }

  private int neededInstances() {
    return PoolRules.keptInstances(demandGpus(), plan.gpusPerInstance);
  }

  private double demandGpus() {
    double demandGpus = 0;
    for (int i = 0; i < chains.size(); i++) {
      demandGpus += chains.get(i).demandGpus();
    }
    return demandGpus;
  }

  /** Releases idle instances that the chains do not need, the highest number first. */
  private void release() {
    double demandGpus = demandGpus();
    if (plan.hold || PoolRules.needsAll(demandGpus, cluster.held.size(), gpusPerInstance)) {
      return;
    }
    int kept = PoolRules.keptInstances(demandGpus, gpusPerInstance);
    for (int i = cluster.held.size() - 1; i >= 0 && cluster.held.size() > kept; i--) {
      FaultyLease lease = cluster.held.get(i);
      if (lease.attempts == 0) {
        cluster.release(lease, 0, 0, nowS);
      }
    }
  }
}
