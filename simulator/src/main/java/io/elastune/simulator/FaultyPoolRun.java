package io.elastune.simulator;

import io.elastune.core.search.PoolPlacement;
import io.elastune.core.search.PoolRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Simulates chains that share instances in one sample with faults, from event to event. Without a
 * fault, it gives the same times as {@link io.elastune.core.search.PoolTimeline}.
 */
final class FaultyPoolRun {
  private static final double NANOS = 1e9;

  /** By group of all chains: when it ended. */
  final double[] endS;

  /** By group of all chains: the GPU-seconds of its attempts. */
  final double[] gpuSeconds;

  private final CompiledPoolPlan plan;
  private final FaultyCluster cluster;
  private final List<FaultyPoolChain> chains = new ArrayList<>();
  private final List<Task> running = new ArrayList<>();
  private final Set<FaultyLease> ready = new HashSet<>();
  private int started;
  private double nowS;
  private boolean endsSearch;

  /**
   * An attempt on some GPUs of an instance.
   *
   * @param order the number of the first attempt of its task, in order of start
   */
  private record Task(
      FaultyAttempt attempt,
      FaultyPoolChain chain,
      FaultyLease lease,
      int firstGpu,
      int gpus,
      int order) {}

  /**
   * An instance that is ready, or a task that ends. Of several at the same time, instances come
   * first in the order of their numbers, then tasks in the order of their start.
   *
   * @param index among the held instances, or among the running tasks
   */
  private record Next(double atS, boolean isTask, int number, int index) {
    static final Next NEVER = new Next(FaultyLease.NEVER, true, Integer.MAX_VALUE, -1);

    private static final Comparator<Next> ORDER =
        Comparator.<Next>comparingLong(next -> Math.round(next.atS * NANOS))
            .thenComparing(Next::isTask)
            .thenComparingInt(Next::number);

    Next orEarlier(Next other) {
      return ORDER.compare(other, this) < 0 ? other : this;
    }
  }

  /**
   * @param trialsOf returns the trials of a group by its index among those of all chains
   */
  FaultyPoolRun(CompiledPoolPlan plan, FaultyCluster cluster, IntFunction<FaultyTrials> trialsOf) {
    this.plan = plan;
    this.cluster = cluster;
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
      advance();
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

  private void advance() {
    LeaseEvents leases = cluster.events(nowS);
    Next next = next();
    double changeS = Math.min(leases.nextRunningS(), leases.nextBootFailureS());
    boolean changes = changeS < next.atS();
    double targetS =
        running.stream()
            .mapToDouble(task -> task.attempt().targetS)
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    double changedS = changes ? changeS : next.atS();
    boolean isTarget =
        targetS < Double.POSITIVE_INFINITY
            && Math.round(targetS * NANOS) <= Math.round(changedS * NANOS);
    double nextS = isTarget ? targetS : changedS;
    double instancesPerS = leases.hazardPerS();
    double ratePerS = instancesPerS + attemptsPerS();
    double faultS = nowS + cluster.clock.untilS(ratePerS);
    if (faultS < nextS) {
      nowS = faultS;
      cluster.clock.strike();
      strike(cluster.clock.fraction() * ratePerS, instancesPerS);
      return;
    }
    cluster.clock.pass(ratePerS, nextS - nowS);
    nowS = nextS;
    endsSearch = isTarget;
    if (changes || isTarget) {
      return;
    }
    if (next.isTask()) {
      finish(running.get(next.index()));
    } else {
      ready.add(cluster.held.get(next.index()));
    }
  }

  private double attemptsPerS() {
    double perS = 0;
    for (Task task : running) {
      perS += task.attempt().hangs ? 0 : plan.hazards.attemptPerS();
    }
    return perS;
  }

  private Next next() {
    Next next = Next.NEVER;
    for (int i = 0; i < cluster.held.size(); i++) {
      FaultyLease lease = cluster.held.get(i);
      if (lease.bootFailsS == FaultyLease.NEVER && !ready.contains(lease)) {
        next = next.orEarlier(new Next(lease.readyS, false, lease.number, i));
      }
    }
    for (int i = 0; i < running.size(); i++) {
      Task task = running.get(i);
      next = next.orEarlier(new Next(task.attempt().endS, true, task.order(), i));
    }
    return next;
  }

  private void strike(double at, double instancesPerS) {
    if (at < instancesPerS) {
      FaultyCluster.Losses losses = cluster.lostWith(cluster.at(at, nowS), nowS);
      losses.lost().forEach(lost -> lose(lost, losses.preempted()));
      return;
    }
    double left = at - instancesPerS;
    for (Task task : List.copyOf(running)) {
      if (task.attempt().hangs) {
        continue;
      }
      if (left < plan.hazards.attemptPerS()) {
        if (left < plan.hazards.crashPerS()) {
          interrupt(task, false);
        } else {
          task.attempt().hang(nowS, plan.groups.get(task.chain().group()).checkpointS());
        }
        return;
      }
      left -= plan.hazards.attemptPerS();
    }
  }

  /** Removes an instance that is lost, and replaces it if the chains need another one. */
  private void lose(FaultyLease lost, boolean preempted) {
    cluster.remove(lost);
    for (Task task : List.copyOf(running)) {
      if (task.lease() == lost) {
        interrupt(task, preempted && plan.hazards.savesAtNotice());
      }
    }
    lost.release(0, 0, nowS);
    int needed = plan.hold ? plan.instances : Math.min(plan.instances, neededInstances());
    if (cluster.held.size() < needed) {
      cluster.replace(lost, 0, nowS);
    }
  }

  /** Ends an attempt by a fault: its trial waits again. */
  private void interrupt(Task task, boolean saves) {
    int trial = task.attempt().trial;
    task.chain().trials().interrupt(trial, task.attempt().kept(nowS, saves));
    end(task);
    task.chain().await(trial);
  }

  private void end(Task task) {
    FaultyPoolChain chain = task.chain();
    double share = (double) task.gpus() / plan.gpusPerInstance;
    running.remove(task);
    task.attempt().slot.attemptEnded(task.attempt().startS, nowS, share);
    gpuSeconds[chain.group()] += (nowS - task.attempt().startS) * task.gpus();
  }

  private void finish(Task task) {
    if (task.attempt().hangs) {
      interrupt(task, false);
      return;
    }
    FaultyPoolChain chain = task.chain();
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
    for (Task task : running) {
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
    running.add(new Task(attempt, chain, lease, firstGpu, chain.gpus(), order));
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
