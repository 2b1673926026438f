package io.elastune.simulator.timeline;

import io.elastune.core.billing.LeaseCost;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
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
import io.elastune.core.timeline.ListPolicy;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.PoolPlacement;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Samples the rest of a run whose search is made of rungs, from its present state, under other
 * plans (docs/searches.md, "Re-planning"). All plans have the same draws, those of faults too: an
 * instance that is held and an attempt that runs have clocks that begin now. Not thread-safe.
 */
public final class RungRest {
  private static final int PHASES = 2;

  private final Problem problem;
  private final RungRule rule;
  private final Start start;
  private final RankModel ranks;
  private final Draws draws;
  private final Map<Integer, IssuedTask> issued = new HashMap<>();

  /**
   * The present state of a run.
   *
   * @param atS seconds since its start
   * @param settledUsd cost in USD that cannot be changed any more
   * @param held the instances, to whose indexes the tasks refer
   */
  public record Start(
      double atS, double settledUsd, RungProgress progress, List<RentedInstance> held) {
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
  private final class Play implements TrialTimes {
    private final CompiledRungPlan plan;
    private final double checkpointS;
    private final RungDraws durations;
    private final PresentLosses losses;
    private final RungTimes times;
    private final Set<Integer> left;
    private final List<Integer> places;
    private final double leftUsd;
    private final RungsRun search;
    private final SampledTimeline sampled;

    /** The trials whose tasks move, and have not started again. */
    private final BitSet moving = new BitSet();

    Play(Plan of, int most, boolean moves) {
      plan = new CompiledRungPlan(problem, of, draws, ranks);
      Offer offer =
          problem
              .offer(of.allocations().values().iterator().next().offer())
              .orElseThrow(() -> new IllegalArgumentException("unknown offer"));
      Profile profile = problem.profile(offer).orElseThrow();
      checkpointS = profile.checkpointS().mean();
      durations = new RungDraws(plan, SamplingLimit.NONE.counter());
      losses = new PresentLosses(rule, start.progress().state(), ranks.correlation(), plan.losses);
      times = new RungTimes(plan, durations, losses, false);
      int held = start.held().size();
      left = moves && !start.isOpen() ? left(plan.sizes.closing().instances()) : Set.of();
      places = IntStream.range(0, held).filter(i -> !left.contains(i)).boxed().toList();
      leftUsd = left.stream().mapToDouble(i -> leftUsd(offer, start.held().get(i))).sum();
      int instances = Math.max(places.size(), Math.min(most, needed(offer)));
      search = new RungsRun(rule, start.progress().state(), plan.unitS[0]);
      if (plan.keepAlive) {
        var unused = search.withPlaces();
      }
      int gpus = plan.sizes.gpusPerInstance();
      sampled =
          new SampledTimeline(
                  new SampledSearch(
                      LeasePlan.ofRest(
                          start.held(), places, instances, start.atS(), offer, profile, draws),
                      gpus,
                      search,
                      new ListPolicy(search, new PhaseSizes(plan.sizes, search, instances), gpus),
                      this,
                      durations.clocks(),
                      task -> plan.faultRow(task.trial(), task.group()),
                      leftS()),
                  PHASES,
                  plan.hasFaults)
              .keepingAlive(plan.keepAlive);
    }

    private OptionalDouble leftS() {
      return plan.stopS.isPresent()
          ? OptionalDouble.of(plan.stopS.getAsDouble() - start.atS())
          : plan.stopS;
    }

    /** Returns the cost of an instance that is left as soon as its tasks have a checkpoint. */
    private double leftUsd(Offer offer, RentedInstance held) {
      double endS = start.atS() + checkpointS;
      return LeaseCost.of(offer, held.runningS(), endS, held.usedS() + checkpointS).totalUsd()
          - offer.dataInUsd(); // which is paid
    }

    private int needed(Offer offer) {
      if (start.isOpen()) {
        return plan.sizes.open().instances();
      }
      int perInstance = Math.max(1, offer.gpus() / plan.sizes.closing().gpus());
      RungState state = start.progress().state();
      return Math.max(
          1, plan.search.keptInstances(state, plan.sizes.closing().instances(), perInstance));
    }

    JointSamples sample(int samples) {
      return sampled.rest(
          samples, start.atS(), start.settledUsd() + leftUsd, problem.running(), this::begin);
    }

    /** Begins a sample with the tasks that run. */
    private void begin(int sample) {
      durations.select(sample);
      losses.select(sample);
      search.beginsAt(state());
      sampled.begin(sample);
      moving.clear();
      for (IssuedTask before : start.progress().tasks()) {
        Task task = search.running(before.task());
        if (!rule.fromScratch()) {
          int done = Math.max(0, before.doneUnits() - task.from());
          task.continuesAfter(Math.min(done, task.units() - 1), 0);
        }
        if (runs(before)) {
          run(task, before);
        } else if (left.contains(before.instance())) {
          moving.set(task.trial());
        }
      }
    }

    private void run(Task task, IssuedTask before) {
      Train train = before.task();
      // A unit, from whose duration the factor of its trial follows.
      Train unit = new Train(train.trial(), train.rung(), train.to() - 1, train.to());
      sampled.timeline.addRunning(
          task,
          places.indexOf(before.instance()),
          before.firstGpu(),
          before.gpus(),
          durations.workS(unit, plan.unitS(before.gpus())),
          before.leftS() * durations.workS(unit, 1));
      times.expectLater(task);
    }

    private boolean runs(IssuedTask task) {
      return task.runs() && !left.contains(task.instance());
    }

    /** The present state, in which each task that does not run is issued again. */
    private RungState state() {
      RungState state = losses.state();
      RungSearch rungs = plan.search;
      for (int trial : losses.state().tasks().keySet()) {
        IssuedTask task = issued.get(trial);
        if (task == null || !runs(task)) {
          state = rungs.step(state, new SearchEvent.Interrupted(trial)).state();
        }
      }
      return state;
    }

    /** A task that moves writes a checkpoint, and trains half a unit again on average. */
    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      times.begin(task, instance, starts);
      if (moving.get(task.trial())) {
        moving.clear(task.trial());
        task.trainsAfter(checkpointS + plan.unitS(task.gpus()) / 2);
      }
    }

    @Override
    public double loss(Task task) {
      return times.loss(task);
    }

    @Override
    public double checkpointS() {
      return times.checkpointS();
    }

    @Override
    public boolean resumes(Task task) {
      return times.resumes(task);
    }

    @Override
    public int intact(Task task, int repeated) {
      return times.intact(task, repeated);
    }

    @Override
    public int saved(Task task, int units) {
      return times.saved(task, units);
    }
  }
}
