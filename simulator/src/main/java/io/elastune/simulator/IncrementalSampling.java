package io.elastune.simulator;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.draw.SampleBlocks;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.group.KnownStates;
import io.elastune.simulator.group.Sampler;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.BlockSampler;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.Outcome;
import io.elastune.simulator.sample.PolicyStops;
import io.elastune.simulator.sample.RunFactors;
import io.elastune.simulator.sample.RungCounts;
import io.elastune.simulator.sample.SampleCounters;
import io.elastune.simulator.sample.SamplingCounter;
import io.elastune.simulator.sample.SamplingLimit;
import io.elastune.simulator.sample.StopCounts;
import io.elastune.simulator.timeline.TimelinePlan;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The incremental sampling of one plan. A few samples are sufficient to reject an infeasible plan,
 * and more can be added to them. Created by {@link Simulator#sampling}; not thread-safe.
 */
public final class IncrementalSampling {
  /** Factor by which the number of samples grows between checks of their errors. */
  private static final double MORE = 1.25;

  private final Problem problem;
  private final ExecutionDag dag;
  private final int most;
  private final int threads;
  private final Supplier<BlockSampler> samplers;
  private final RungCounts rungCounts;
  private final StopCounts stopCounts = new StopCounts();
  private final boolean playsPolicy;
  private final Outcome outcome;
  private final SamplingLimit limit;

  /**
   * Creates the sampling of {@code plan} without samples.
   *
   * @param states the states of samples of other plans
   * @param threads number of threads, at least 1
   * @param limit ends the sampling, which then has fewer samples, perhaps none
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  IncrementalSampling(
      Problem problem,
      Plan plan,
      ExecutionDag dag,
      Draws draws,
      RankModel ranks,
      KnownStates states,
      int threads,
      SamplingLimit limit) {
    PlanRules.check(problem, plan);
    this.problem = problem;
    this.dag = dag;
    this.most = draws.samples();
    this.threads = threads;
    this.limit = limit;
    Optional<RungRule> rungs = problem.workload().rungs();
    this.playsPolicy = problem.policy().choosesSizes();
    this.rungCounts = new RungCounts(rungs.map(rule -> rule.targets().size()).orElse(0));
    Optional<TimelinePlan> played = TimelinePlan.of(problem, plan, draws, ranks);
    this.samplers =
        played.isPresent()
            ? () -> played.get().sampler(counters())
            : ofGroups(new CompiledPlan(problem, plan, dag, draws), states);
    this.outcome =
        new Outcome(
            problem.workload().groups().size(), problem.running(), RunFactors.of(problem, plan));
    SamplingCounter.planned();
  }

  private SampleCounters counters() {
    return new SampleCounters(rungCounts, stopCounts, limit.counter());
  }

  private Supplier<BlockSampler> ofGroups(CompiledPlan plan, KnownStates states) {
    return () -> new Sampler(plan, states, limit.counter());
  }

  /**
   * Begins with the samples of another sampling of the plan with the same random numbers: whole
   * blocks of them are not played again. Only joint samples are known then: estimates and counts
   * would lack them.
   */
  void startWith(JointSamples known) {
    int samples = Math.min(known.costUsd().length, most);
    outcome.startWith(known, samples - samples % SampleBlocks.SIZE);
  }

  /**
   * Samples until there are at least {@code samples} samples, in whole blocks or a part of the
   * first one, up to the number of the simulator. The result starts with the samples of earlier
   * calls.
   */
  public JointSamples sampleUpTo(int samples) {
    return sampleUpTo(samples, played -> {});
  }

  /**
   * Samples as {@link #sampleUpTo(int)}, and reports progress.
   *
   * @param progress receives the number of samples after each block, from any thread and not always
   *     in order
   */
  public JointSamples sampleUpTo(int samples, IntConsumer progress) {
    extend(samples, progress);
    return outcome.joint();
  }

  /**
   * Samples until there are at least {@code atLeast} samples, in whole blocks or a part of the
   * first one, up to the number of the simulator.
   *
   * @param progress receives the number of samples after each block, from any thread and not always
   *     in order
   */
  void extend(int atLeast, IntConsumer progress) {
    int samples = (int) Math.min(SampleBlocks.whole(atLeast), most);
    if (samples <= outcome.samples() || limit.isExceeded()) {
      return;
    }
    SamplingCounter.count(samples - outcome.samples(), () -> sample(samples, progress));
  }

  private void sample(int samples, IntConsumer progress) {
    int from = SampleBlocks.number(outcome.samples());
    int before = outcome.samples();
    AtomicInteger played = new AtomicInteger(before);
    outcome.grow(samples);
    resizeCounts(samples);
    SampleBlocks.runBlocks(
        from,
        SampleBlocks.of(samples),
        threads,
        () -> {
          BlockSampler sampler = samplers.get();
          return block -> {
            if (limit.isExceeded()) {
              return;
            }
            sampler.simulate(block, outcome);
            progress.accept(
                played.addAndGet(
                    SampleBlocks.end(block, samples)
                        - Math.max(before, SampleBlocks.start(block))));
          };
        });
    outcome.shorten();
    resizeCounts(outcome.samples());
  }

  private void resizeCounts(int samples) {
    rungCounts.grow(samples);
    if (playsPolicy) {
      stopCounts.grow(samples);
    }
  }

  /**
   * Samples until the standard errors of all displayed figures of the plan are at most the fraction
   * {@code error} of them, or up to the number of the simulator. The errors are checked after every
   * increase by a quarter, always on whole blocks, so the number of samples does not depend on the
   * threads.
   *
   * @param fewest samples before the first check
   * @param enough samples after the last check
   * @param progress as in {@link #sampleUpTo(int, IntConsumer)}
   */
  public JointSamples sampleUntilAccurate(
      int fewest, int enough, double error, IntConsumer progress) {
    int last = Math.min(enough, most);
    int samples = fewest;
    do {
      extend(samples, progress);
      samples = (int) Math.min(MORE * outcome.samples(), last);
    } while (outcome.samples() < last && !limit.isExceeded() && !outcome.isAccurate(error));
    return outcome.joint();
  }

  /** Returns the tasks of each rung in the samples so far; empty for groups with barriers. */
  public List<Distribution> rungTasks() {
    return rungTasks(outcome.samples());
  }

  /** Returns the same of at most so many of the first samples. */
  public List<Distribution> rungTasks(int first) {
    return problem.workload().rungs().isPresent()
        ? rungCounts.distributions(Math.min(first, outcome.samples()))
        : List.of();
  }

  /**
   * Returns how often a scheduling policy ends running tasks in at most so many of the first
   * samples; empty without a policy.
   */
  public Optional<PolicyStops> policyStops(int first) {
    return playsPolicy
        ? Optional.of(stopCounts.distributions(Math.min(first, outcome.samples())))
        : Optional.empty();
  }

  /** Returns the trials that start in the samples so far, in a search made of rungs. */
  public Distribution startedTrials() {
    return rungCounts.trials();
  }

  /** Returns the samples so far. */
  Outcome outcome() {
    return outcome;
  }

  /** Returns the estimate from the samples so far; there must be at least one. */
  public Estimate estimate() {
    List<TrialGroup> groups = problem.workload().groups();
    int[] startsAfter = new int[groups.size()];
    Arrays.setAll(
        startsAfter, group -> Arrays.stream(dag.predecessors(group)).findFirst().orElse(-1));
    return outcome.estimate(problem.limits(), groups, startsAfter);
  }
}
