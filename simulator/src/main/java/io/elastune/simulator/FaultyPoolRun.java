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
  private int started;

  /**
   * @param trialsOf returns the trials of a group by its index among those of all chains
   */
  FaultyPoolRun(CompiledPoolPlan plan, FaultyCluster cluster, IntFunction<FaultyTrials> trialsOf) {
    super(cluster, plan.hazards, plan.checkpointS);
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
    while (chains.stream().anyMatch(FaultyPoolChain::isActive)) {
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

  /** Ends all tasks because a trial has reported the metric that ends the search. */
  private void discard() {
    List.copyOf(running).forEach(this::end);
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

  /** The trial waits again. */
  @Override
  void interrupt(Task<FaultyPoolChain> task, Fault fault) {
    int trial = task.attempt().trial;
    task.owner().trials().interrupt(trial, kept(task, fault));
    end(task);
    task.owner().await(trial);
  }

  private void end(Task<FaultyPoolChain> task) {
    end(task, (double) task.gpus() / plan.gpusPerInstance);
    gpuSeconds[task.owner().group()] += (nowS - task.attempt().startS) * task.gpus();
  }

  @Override
  void finish(Task<FaultyPoolChain> task) {
    FaultyPoolChain chain = task.owner();
    end(task);
    if (chain.trials().isTorn(task.attempt().trial)) {
      start(chain, task.attempt().trial, task.lease(), task.firstGpu(), task.order());
      return;
    }
    int group = chain.group();
    if (chain.completeOne()) {
      endS[group] = nowS;
      chains.sort(FaultyPoolChain::compareTo);
    }
  }

  private void serve() {
    List<PoolPlacement.Request> requests = new ArrayList<>(chains.size());
    for (FaultyPoolChain chain : chains) {
      if (chain.isActive() && chain.waitingCount() > 0) {
        requests.add(
            new PoolPlacement.Request(chains.indexOf(chain), chain.waitingCount(), chain.gpus()));
      }
    }
    if (requests.isEmpty()) {
      return;
    }
    int count = cluster.held.size();
    long[] taken = new long[count];
    boolean[] held = new boolean[count];
    boolean[] isReady = new boolean[count];
    for (int i = 0; i < count; i++) {
      held[i] = true;
      isReady[i] = ready.contains(cluster.held.get(i));
    }
    for (Task<FaultyPoolChain> task : running) {
      taken[cluster.held.indexOf(task.lease())] |= PoolPlacement.mask(task.firstGpu(), task.gpus());
    }
    for (PoolPlacement.Start start :
        new PoolPlacement(plan.gpusPerInstance, taken, held, isReady).place(requests)) {
      FaultyPoolChain chain = chains.get(start.chain());
      FaultyLease lease = cluster.held.get(start.instance());
      start(chain, chain.takeFirst(), lease, start.firstGpu(), started++);
    }
  }

  private void start(FaultyPoolChain chain, int trial, FaultyLease lease, int firstGpu, int order) {
    FaultySlot slot = new FaultySlot(List.of(lease), nowS);
    slot.attemptStarted(nowS);
    FaultyAttempt attempt = chain.trials().attempt(trial, slot, nowS);
    running.add(new Task<>(attempt, chain, lease, firstGpu, chain.gpus(), order));
  }

  private int neededInstances() {
    double demandGpus = 0;
    for (FaultyPoolChain chain : chains) {
      demandGpus += chain.demandGpus();
    }
    return PoolRules.keptInstances(demandGpus, plan.gpusPerInstance);
  }

  /** Releases idle instances that the chains do not need, the highest number first. */
  private void release() {
    if (plan.hold) {
      return;
    }
    int kept = neededInstances();
    for (int i = cluster.held.size() - 1; i >= 0 && cluster.held.size() > kept; i--) {
      FaultyLease lease = cluster.held.get(i);
      if (lease.attempts == 0) {
        cluster.release(lease, 0, 0, nowS);
      }
    }
  }
}
