package io.elastune.simulator.timeline;

import io.elastune.core.allocation.FluidRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.Admission;
import io.elastune.core.timeline.Instance;
import io.elastune.core.timeline.PolicyRun;
import io.elastune.core.timeline.RungsRun;
import io.elastune.core.timeline.Task;
import io.elastune.core.timeline.Timeline;
import io.elastune.core.timeline.TrialTimes;
import io.elastune.core.timeline.ViewPolicy;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.RungCounts;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.OptionalInt;

/** A search made of rungs on a cluster that Fluid divides among its tasks, in one sample. */
final class PlayedRungs implements PlayedPolicy {
  private static final int OPEN = 0;

  private final Compiled plan;
  private final CompiledRungPlan rungs;
  private final RungDraws draws;
  private final RungsRun search;
  private final Times times = new Times();
  private final SampledSearch sampled;

  /**
   * A legal plan, compiled for sampling.
   *
   * @param seconds seconds per unit with each width
   * @param slowestUnitS those with the slowest width, by which trials are taken to hang
   */
  record Compiled(
      CompiledRungPlan rungs, FluidPolicy policy, WidthSeconds seconds, double slowestUnitS) {
    /**
     * Compiles a plan.
     *
     * @param problem must allow {@code plan}, as {@link io.elastune.core.allocation.PlanRules}
     *     checks
     */
    static Compiled of(Problem problem, Plan plan, Draws draws, RankModel ranks) {
      String name = plan.of(problem.workload().groups().get(0)).offer();
      Offer offer = problem.offer(name).orElseThrow();
      Profile profile = problem.profile(offer).orElseThrow();
      WidthSeconds seconds = FluidRules.seconds(profile);
      FluidRule rule = FluidRules.of(problem, offer);
      return new Compiled(
          new CompiledRungPlan(problem, plan, draws, ranks),
          FluidPolicy.ofOpenGroup(rule, seconds),
          seconds,
          CompiledPolicyPlan.slowestUnitS(rule.sizes(), rule.share(), seconds));
    }
  }

  /**
   * @param tasks counts the simulated tasks
   */
  PlayedRungs(Compiled plan, SamplingLimit.Counter tasks) {
    this.plan = plan;
    rungs = plan.rungs();
    draws = new RungDraws(rungs, tasks);
    RungRule rule = rungs.search.rule();
    search = new RungsRun(rule, rungs.search.initial(), rungs.unitS[OPEN]);
    if (rungs.keepAlive) {
      var unused = search.withPlaces();
    }
    int instances = rungs.sizes.open().instances();
    int gpus = rungs.sizes.gpusPerInstance();
    PolicyRun policy =
        new ViewPolicy<>(
            plan.policy(),
            search,
            times,
            new ViewPolicy.Cluster(
                instances,
                gpus,
                Admission.unfinished(rule.mostTasks(instances * gpus)),
                phase -> FluidPolicy.OPEN_GROUP,
                PolicyView.Timing.NONE));
    sampled =
        new SampledSearch(
            rungs.leases,
            gpus,
            search,
            policy,
            times,
            draws.clocks(),
            task -> rungs.faultRow(task.trial(), task.group()),
            rungs.stopS);
  }

  @Override
  public SampledSearch sampled() {
    return sampled;
  }

  @Override
  public boolean keepAlive() {
    return rungs.keepAlive;
  }

  @Override
  public boolean hasFaults() {
    return rungs.hasFaults;
  }

  @Override
  public void select(int sample) {
    draws.select(sample);
  }

  @Override
  public double[] endS(Timeline timeline, double endS) {
    return new double[] {timeline.phaseStartS(), endS};
  }

  @Override
  public boolean hasResult(Timeline timeline, double endS) {
    return rungs.hasResult(search, endS);
  }

  @Override
  public void count(int sample, RungCounts counts) {
    counts.set(sample, search.counts().clone());
    counts.setTrials(sample, search.begun());
  }

  @Override
  public double unitS(Task task) {
    return plan.seconds().perUnit(task.width());
  }

  @Override
  public int group(Task task) {
    return search.phase();
  }

  /** Describes a task of which some units were trained. */
  static TraceEvent.Task described(Task task, int from, int to) {
    return new TraceEvent.Task(
        task.trial(),
        RungRule.name(task.group()),
        task.from() + from,
        task.from() + to,
        task.gpus(),
        task.trialsPerGpu(),
        OptionalInt.empty());
  }

  /** How long the tasks take in the sample, and what the trials report. */
  private final class Times implements TrialTimes {
    /** The seconds per unit of a task relative to those of a trial of average speed. */
    private double factor(Task task) {
      return draws.workS(task.trial(), task.group(), task.from(), task.to(), 1) / task.units();
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      task.trains(
          starts ? draws.startupS(task.trial(), task.group()) : 0,
          plan.seconds().perUnit(task.width()) * factor(task) * instance.slowness());
      task.hangsAtUnitsOf(plan.slowestUnitS());
      task.reportsTargetAt(rungs.targetUnits.ofTask(task.trial(), task.from()).orElse(0));
    }

    @Override
    public double pace(Task task, boolean hasReported) {
      return hasReported ? factor(task) : 1;
    }

    @Override
    public double loss(Task task) {
      return draws.loss(task.trial(), task.group());
    }

    @Override
    public double checkpointS() {
      return rungs.checkpointS;
    }

    @Override
    public boolean resumes(Task task) {
      return !rungs.search.rule().fromScratch();
    }

    @Override
    public int intact(Task task, int repeated) {
      return draws.intact(task, repeated);
    }

    @Override
    public int stopped(Task task, int trained) {
      return draws.stopped(task, trained);
    }
  }
}
