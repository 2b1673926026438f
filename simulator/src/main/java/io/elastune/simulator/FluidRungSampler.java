package io.elastune.simulator;

import io.elastune.core.allocation.FluidRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidState;
import io.elastune.core.policy.GroupTimeline;
import io.elastune.core.policy.PolicyAttempt;
import io.elastune.core.policy.PolicyTimeline;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.Width;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.RungTaskSource;
import io.elastune.core.search.SearchDecision.Train;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Simulates a search made of rungs on a cluster that Fluid divides among its tasks, block by block,
 * with {@link PolicyTimeline} as its rules (docs/searches.md, "Fluid").
 */
final class FluidRungSampler implements BlockSampler {
  private static final int OPEN = 0;
  private static final int CLOSING = 1;

  private final Compiled plan;
  private final RungRule rule;
  private final int instances;
  private final RungCounts counts;
  private final StopCounts stopCounts;
  private final CostTotals costTotals = new CostTotals(2);
  private final Cluster cluster;
  private final RungDraws draws;

  /**
   * A legal plan, compiled for sampling.
   *
   * @param seconds seconds per unit with each width
   */
  record Compiled(
      CompiledRungPlan rungs, FluidPolicy policy, WidthSeconds seconds, double checkpointS) {
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
      return new Compiled(
          new CompiledRungPlan(problem, plan, draws, ranks),
          FluidPolicy.ofOpenGroup(FluidRules.of(problem, offer), seconds),
          seconds,
          profile.checkpointS().mean());
    }
  }

  /**
   * @param counts receives the number of tasks by rung and sample
   * @param stopCounts receives how often running tasks are ended, by sample
   * @param tasks counts the simulated tasks
   */
  FluidRungSampler(
      Compiled plan, RungCounts counts, StopCounts stopCounts, SamplingLimit.Counter tasks) {
    this.plan = plan;
    this.counts = counts;
    this.stopCounts = stopCounts;
    rule = plan.rungs().search.rule();
    instances = plan.rungs().sizes.open().instances();
    cluster = new Cluster(plan.rungs().leases, costTotals);
    draws = new RungDraws(plan.rungs(), tasks);
  }

  @Override
  public void simulate(int block, Outcome outcome) {
    outcome.simulate(block, costTotals, sample -> simulateOne(sample, outcome));
  }

  private void simulateOne(int sample, Outcome outcome) {
    Played played = play(sample);
    double issuedS = played.source().closingS();
    double closingS = Double.isNaN(issuedS) ? played.endS() : issuedS;
    for (int i = 0; i < instances; i++) {
      cluster.recordWork(i, played.timeline().usedS(i), played.timeline().busyS(i));
    }
    cluster.attributeCost(OPEN, 0, closingS);
    for (int i = 0; i < instances; i++) {
      cluster.release(i, CLOSING, closingS, played.endS());
    }
    counts.set(sample, played.source().tasks);
    stopCounts.set(sample, played.timeline());
    outcome.add(sample, new double[] {closingS, played.endS()}, costTotals.groupUsd);
  }

  /** A search that has ended. */
  private record Played(PolicyTimeline<FluidState> timeline, RungTaskSource source, double endS) {}

  /** Returns the attempts of the first sample. */
  List<PolicyAttempt> attempts() {
    return play(0).timeline().attempts();
  }

  /** Returns when an instance is ready in the sample that was played last. */
  double readyS(int number) {
    return cluster.readyS[number];
  }

  private Played play(int sample) {
    draws.select(sample);
    Arrays.fill(costTotals.groupUsd, 0);
    cluster.reset();
    cluster.request(instances, 0, sample);
    int gpus = plan.rungs().sizes.gpusPerInstance();
    PolicyTimeline<FluidState> timeline =
        new PolicyTimeline<>(plan.policy(), gpus, Arrays.copyOf(cluster.readyS, instances));
    RungTaskSource source = new RungTaskSource(rule, instances * gpus, draws);
    source.stopAt(plan.rungs().stopS.orElse(Double.POSITIVE_INFINITY), plan.rungs().unitS[OPEN]);
    double endS = timeline.run(RungTaskSource.GROUP, source, 0, new Durations(source));
    return new Played(timeline, source, endS);
  }

  /** The durations of the tasks of a sample. */
  private final class Durations implements GroupTimeline.Model {
    private final RungTaskSource source;

    Durations(RungTaskSource source) {
      this.source = source;
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      return draws.startupS(source.task(trial));
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return plan.seconds().perUnit(width) * factor(trial) * cluster.slowness[instance];
    }

    /** The seconds per unit of a task relative to those of a trial of average speed. */
    private double factor(int trial) {
      Train task = source.task(trial);
      return draws.workS(task, 1) / (task.to() - task.from());
    }

    @Override
    public double checkpointS(int trial) {
      return plan.checkpointS();
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return hasReported ? factor(trial) : 1;
    }

    @Override
    public OptionalInt targetUnit(int trial) {
      return plan.rungs().targetUnits.ofTask(trial, source.task(trial).from());
    }

    @Override
    public PolicyView.Timing timing(double nowS) {
      double stopS = plan.rungs().stopS.orElse(Double.POSITIVE_INFINITY);
      return new PolicyView.Timing(stopS - nowS, 0, 0);
    }

    @Override
    public double loss(int trial, int unit) {
      return Double.NaN; // Fluid uses no metrics
    }
  }
}
