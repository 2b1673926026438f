package io.elastune.simulator;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungProgress.IssuedTask;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.SearchEvent;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.InstanceTimes;
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.PoolPlacement;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Samples the rest of a run whose search is made of rungs, from its present state, under other
 * plans (docs/searches.md, "Re-planning"). All plans have the same draws. Not thread-safe.
 */
public final class RungRest {
  private final Problem problem;
  private final RungRule rule;
  private final Start start;
  private final RankModel ranks;
  private final Draws draws;
  private final Map<Integer, IssuedTask> issued = new HashMap<>();

  /**
   * An instance that is held, in seconds from the start of the run.
   *
   * @param runningS when its billing started, or is expected to start
   * @param readyS when it was ready, or is expected to be
   * @param usedS seconds in which a trial ran on it
   */
  public record Held(double runningS, double readyS, double usedS) {}

  /**
   * The present state of a run.
   *
   * @param atS seconds since its start
   * @param settledUsd cost in USD that cannot be changed any more
   * @param held the instances, to whose indexes the tasks refer
   */
  public record Start(double atS, double settledUsd, RungProgress progress, List<Held> held) {
    public Start {
      held = List.copyOf(held);
    }

    /** Whether new trials may start. */
    public boolean isOpen() {
      return progress.state().phase() == RungState.Phase.OPEN;
    }
  }

  /**
   * Creates a sampler.
   *
   * @param problem its work is that of the whole search, with the offers and profiles as they are
   *     known now
   * @param samples the most samples of a plan
   */
  public RungRest(Problem problem, Start start, int samples) {
    this.problem = problem;
    this.rule = problem.workload().rungs().orElseThrow();
    this.start = start;
    this.ranks = RankModel.of(problem);
    this.draws = new Draws(problem, samples, ranks, Draws.MAX_CACHE_BYTES);
    start.progress().tasks().forEach(task -> issued.put(task.task().trial(), task));
  }

  /**
   * Samples the rest of the run under a plan. Seconds count from the start of the run, and USD are
   * those of the whole run.
   *
   * @param most the most instances that are held or may be requested, at least one
   * @param moves whether the tasks on the held instances that the phase closing has no use for move
   *     to the others at once; otherwise they end where they are
   */
  public JointSamples sample(Plan plan, int samples, int most, boolean moves) {
    return new Play(plan, most, moves).sample(Math.min(samples, draws.samples()));
  }

  /**
   * Whether tasks can move under a plan: no new trial starts, all instances are ready, all tasks
   * run, and those on the instances that are left fit on the others.
   */
  public boolean canMove(Plan plan) {
    boolean isSettled =
        !start.isOpen()
            && start.held().stream().allMatch(held -> held.readyS() <= start.atS())
            && issued.values().stream().allMatch(IssuedTask::runs);
    if (!isSettled) {
      return false;
    }
    Allocation closing =
        Optional.ofNullable(plan.allocations().get(Workload.CLOSING)).orElseThrow();
    Set<Integer> left = left(closing.instances());
    long[] taken = new long[start.held().size()];
    int moved = 0;
    for (IssuedTask task : issued.values()) {
      taken[task.instance()] |= PoolPlacement.mask(task.firstGpu(), task.gpus());
      moved += left.contains(task.instance()) ? 1 : 0;
    }
    int gpus = problem.offer(closing.offer()).orElseThrow().gpus();
    int free = 0;
    for (int i = 0; i < taken.length; i++) {
      for (int gpu = 0; !left.contains(i) && gpu + closing.gpusPerTrial() <= gpus; ) {
        free += (taken[i] & PoolPlacement.mask(gpu, closing.gpusPerTrial())) == 0 ? 1 : 0;
        gpu += closing.gpusPerTrial();
      }
    }
    return moved <= free;
  }

  /**
   * Returns the indexes of instances whose tasks move to the others: those with the fewest tasks,
   * and of these the last.
   *
   * @param kept instances that are kept
   */
  private Set<Integer> left(int kept) {
    int[] tasks = new int[start.held().size()];
    issued.values().stream().filter(IssuedTask::runs).forEach(task -> tasks[task.instance()]++);
    List<Integer> order = new ArrayList<>(IntStream.range(0, tasks.length).boxed().toList());
    order.sort((a, b) -> tasks[a] == tasks[b] ? b - a : Integer.compare(tasks[a], tasks[b]));
    return new HashSet<>(order.subList(0, Math.max(0, tasks.length - kept)));
  }

  /** The rest under one plan. */
  private final class Play implements TrialTimes, InstanceTimes {
    private final CompiledRungPlan plan;
    private final Offer offer;
    private final Profile profile;
    private final RungDraws durations;
    private final PresentLosses losses;
    private final Cluster cluster;
    private final int instances;
    private final Set<Integer> left;
    private final List<Integer> places;
    private final Map<Integer, Double> unitS = new HashMap<>();
    private final RungsRun search;
    private final Timeline timeline;

    Play(Plan of, int most, boolean moves) {
      plan = new CompiledRungPlan(problem, of, draws, ranks);
      offer =
          problem
              .offer(of.allocations().values().iterator().next().offer())
              .orElseThrow(() -> new IllegalArgumentException("unknown offer"));
      profile = problem.profile(offer).orElseThrow();
      durations = new RungDraws(plan, SamplingLimit.NONE.counter());
      losses = new PresentLosses(rule, start.progress().state(), ranks.correlation(), plan.losses);
      int held = start.held().size();
      left = moves && !start.isOpen() ? left(plan.sizes.closing().instances()) : Set.of();
      places = IntStream.range(0, held).filter(i -> !left.contains(i)).boxed().toList();
      instances = Math.max(places.size(), Math.min(most, needed()));
      LeasePlan leases = LeasePlan.ofPool(held + instances, offer, profile, draws);
      cluster = new Cluster(leases, new CostTotals(1));
      search = new RungsRun(rule, start.progress().state(), plan.unitS[0]);
      int gpus = plan.sizes.gpusPerInstance();
      ListPolicy policy =
          new ListPolicy(search, new PhaseSizes(plan.sizes, search, instances), gpus);
      timeline = new Timeline(search, policy, this, this, gpus);
      plan.stopS.ifPresent(atS -> timeline.stoppedAt(atS - start.atS()));
    }

    private int needed() {
      if (start.isOpen()) {
        return plan.sizes.open().instances();
      }
      int perInstance = Math.max(1, offer.gpus() / plan.sizes.closing().gpus());
      RungState state = start.progress().state();
      return Math.max(
          1, plan.search.keptInstances(state, plan.sizes.closing().instances(), perInstance));
    }

    JointSamples sample(int samples) {
      double[] completionS = new double[samples];
      double[] costUsd = new double[samples];
      for (int sample = 0; sample < samples; sample++) {
        begin(sample);
        completionS[sample] = start.atS() + timeline.play();
        costUsd[sample] = start.settledUsd() + problem.running().usd(completionS[sample]) + usd();
      }
      return new JointSamples(completionS, costUsd);
    }

    /** Begins a sample with the tasks that run. */
    private void begin(int sample) {
      durations.select(sample);
      losses.select(sample);
      cluster.reset();
      cluster.request(start.held().size() + instances, 0, sample);
      search.beginsAt(state());
      timeline.begin();
      for (IssuedTask task : start.progress().tasks()) {
        if (runs(task)) {
          double leftS = task.leftS() * durations.workS(oneUnit(task), 1);
          int instance = places.indexOf(task.instance());
          timeline.addRunning(
              search.running(task.task()), instance, task.firstGpu(), task.gpus(), leftS);
        }
      }
    }

    @Override
    public void request(Instance instance, double nowS) {
      int index = instance.number();
      double readyS =
          index < places.size()
              ? Math.max(0, start.held().get(places.get(index)).readyS() - start.atS())
              : cluster.readyS[number(index)];
      instance.boots(nowS, readyS, false);
      instance.isSlowerBy(cluster.slowness[number(index)]);
    }

    /** A unit of a task, of whose duration the factor of its trial follows. */
    private Train oneUnit(IssuedTask issuedTask) {
      Train task = issuedTask.task();
      return new Train(task.trial(), task.rung(), task.to() - 1, task.to());
    }

    private boolean runs(IssuedTask task) {
      return task.runs() && !left.contains(task.instance());
    }

    /** The number of the lease whose draws an instance has. */
    private int number(int instance) {
      return instance < places.size()
          ? places.get(instance)
          : start.held().size() + instance - places.size();
    }

    /** The present state, in which each task that does not run is issued again. */
    private RungState state() {
      RungState state = losses.state();
      RungSearch search = plan.search;
      for (int trial : losses.state().tasks().keySet()) {
        IssuedTask task = issued.get(trial);
        if (task == null || !runs(task)) {
          state = search.step(state, new SearchEvent.Interrupted(trial)).state();
        }
      }
      return state;
    }

    private double usd() {
      double usd = 0;
      for (int i = 0; i < instances; i++) {
        double releasedS = start.atS() + timeline.instance(i).releasedS();
        double usedS = timeline.instance(i).usedS();
        if (i < places.size()) {
          usd += heldUsd(start.held().get(places.get(i)), releasedS, usedS);
        } else {
          double runningS = start.atS() + cluster.runningS[number(i)];
          usd += LeaseCost.of(offer, runningS, releasedS, usedS).totalUsd();
        }
      }
      for (int instance : left) {
        double checkpointS = profile.checkpointS().mean();
        usd += heldUsd(start.held().get(instance), start.atS() + checkpointS, checkpointS);
      }
      return usd;
    }

    /** Without the data transfer, which is paid. */
    private double heldUsd(Held held, double releasedS, double moreS) {
      return LeaseCost.of(offer, held.runningS(), releasedS, held.usedS() + moreS).totalUsd()
          - offer.dataInUsd();
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      Train train = new Train(task.trial(), task.group(), task.from(), task.to());
      double startupS = starts ? durations.startupS(train) : 0;
      double workS = durations.workS(rest(train, starts), unitS(task.gpus()));
      double lastsS = startupS + workS * instance.slowness() + moveS(train, starts, task.gpus());
      task.lasts(startupS, workS * instance.slowness() / task.units(), lastsS);
    }

    /** What a task lacks that another attempt has begun. */
    private Train rest(Train task, boolean starts) {
      return rule.fromScratch()
          ? task
          : continued(task, starts)
              .map(
                  before ->
                      new Train(
                          task.trial(),
                          task.rung(),
                          Math.min(Math.max(task.from(), before.doneUnits()), task.to() - 1),
                          task.to()))
              .orElse(task);
    }

    /** The present task of a trial, if another attempt of it starts. */
    private Optional<IssuedTask> continued(Train task, boolean starts) {
      return Optional.ofNullable(issued.get(task.trial()))
          .filter(before -> starts && before.task().rung() == task.rung());
    }

    /** A task that moves writes a checkpoint, and trains half a unit again on average. */
    private double moveS(Train task, boolean starts, int gpus) {
      boolean moved =
          !left.isEmpty()
              && continued(task, starts)
                  .filter(before -> left.contains(before.instance()))
                  .isPresent();
      return moved ? profile.checkpointS().mean() + unitS(gpus) / 2 : 0;
    }

    private double unitS(int gpus) {
      return unitS.computeIfAbsent(gpus, size -> profile.secondsPerUnit(size).orElseThrow());
    }

    @Override
    public double loss(Task task) {
      return losses.of(task.trial(), task.group());
    }
  }
}
