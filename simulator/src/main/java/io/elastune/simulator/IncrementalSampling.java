package io.elastune.simulator;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * The incremental sampling of one plan. A few samples are sufficient to reject an infeasible plan,
 * and more can be added to them. Created by {@link Simulator#sampling}; not thread-safe.
 */
public final class IncrementalSampling {
  private final Problem problem;
  private final ExecutionDag dag;
  private final int most;
  private final int threads;
  private final CompiledPlan compiledPlan;
  private final Outcome outcome;

  /**
   * Creates the sampling of {@code plan} without samples.
   *
   * @param threads number of threads, at least 1
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  IncrementalSampling(Problem problem, Plan plan, ExecutionDag dag, Draws draws, int threads) {
    PlanRules.check(problem, plan);
    this.problem = problem;
    this.dag = dag;
    this.most = draws.samples();
    this.threads = threads;
    this.compiledPlan = new CompiledPlan(problem, plan, dag, draws);
    this.outcome = new Outcome(problem.workload().groups().size(), problem.running());
  }

  /**
   * Samples until there are at least {@code samples} samples, in whole blocks, up to the number of
   * the simulator. The result starts with the samples of earlier calls.
   */
  public JointSamples sampleUpTo(int samples) {
    extend(samples, played -> {});
    return outcome.joint();
  }

  /**
   * Samples until there are at least {@code atLeast} samples, in whole blocks, up to the number of
   * the simulator.
   *
   * @param progress receives the number of samples after each block, from any thread and not always
   *     in order
   */
  void extend(int atLeast, IntConsumer progress) {
    int samples = (int) Math.min(wholeBlocks(atLeast), most);
    if (samples <= outcome.samples()) {
      return;
    }
    int from = SampleBlocks.number(outcome.samples());
    AtomicInteger played = new AtomicInteger(outcome.samples());
    outcome.grow(samples);
    SampleBlocks.runBlocks(
        from,
        SampleBlocks.of(samples),
        threads,
        () -> {
          Sampler sampler = new Sampler(compiledPlan);
          return block -> {
            sampler.simulate(block, outcome);
            progress.accept(
                played.addAndGet(SampleBlocks.end(block, samples) - SampleBlocks.start(block)));
          };
        });
  }

  private static long wholeBlocks(int samples) {
    return (long) SampleBlocks.of(samples) * SampleBlocks.SIZE;
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
