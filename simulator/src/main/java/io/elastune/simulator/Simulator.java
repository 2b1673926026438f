package io.elastune.simulator;

import io.elastune.core.Preconditions;
import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.group.CompletedDagBuilder;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.group.GroupTraceEvents;
import io.elastune.simulator.group.KnownStates;
import io.elastune.simulator.group.TracedRun;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import io.elastune.simulator.timeline.TimelinePlan;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Predicts the completion time (seconds) and cost (USD) of given plans for one problem, as
 * specified in docs/model.md. It uses common random numbers: all plans have the same draws for each
 * trial of each group and for each instance of each chain, in order of request. Plans therefore
 * differ by their decisions only. The same problem, plan and number of samples give a bit-identical
 * result with any number of threads.
 *
 * <p>Draws are cached for the next plan up to 64 MiB, and states of samples of many plans up to 8
 * MiB. A simulator is thread-safe: threads share only these.
 */
public final class Simulator {
  /** Number of samples before the first check of the sampling error. */
  private static final int FEWEST = 1000;

  /** Required standard error as a fraction of each figure. */
  private static final double SETTLED = 0.0005;

  private final Problem problem;
  private final ExecutionDag dag;
  private final Draws draws;
  private final RankModel ranks;
  private final KnownStates states;
  private final int threads;
  private final SamplingLimit limit;

  /** Creates a simulator of {@code problem} that uses the calling thread only. */
  public Simulator(Problem problem, int samples) {
    this(problem, samples, 1);
  }

  /**
   * Creates a simulator of {@code problem}.
   *
   * @param samples number of samples per plan (a maximum where fewer are sufficient), at least 1; a
   *     single sample is drawn if nothing in the problem varies
   * @param threads number of threads per plan, at least 1
   */
  public Simulator(Problem problem, int samples, int threads) {
    this(problem, samples, threads, RankModel.of(problem));
  }

  /** Creates a simulator of {@code problem} with other ranks in a search made of rungs. */
  public Simulator(Problem problem, int samples, int threads, RankModel ranks) {
    this(
        problem,
        threads,
        ranks,
        draws(problem, samples, ranks, Draws.MAX_CACHE_BYTES),
        KnownStates.none(),
        SamplingLimit.NONE);
  }

  /**
   * Creates a simulator of many plans for {@code problem}, whose sampling may be ended early. What
   * samples of these plans have in common is simulated once, as memory permits.
   */
  public Simulator(Problem problem, int samples, int threads, SamplingLimit limit) {
    this(problem, samples, threads, new KnownStates(samples), limit);
  }

  /** Creates a simulator of many plans that keeps their states in {@code states}. */
  Simulator(Problem problem, int samples, int threads, KnownStates states, SamplingLimit limit) {
    this(
        problem,
        threads,
        RankModel.of(problem),
        draws(problem, samples, RankModel.of(problem), Draws.MAX_CACHE_BYTES),
        states,
        limit);
  }

  /** Creates a simulator of one plan, after which its draws are not needed again. */
  static Simulator ofOnePlan(Problem problem, int samples, int threads) {
    return new Simulator(problem, samples, threads, 0);
  }

  /** Creates a simulator with a draw cache of at most {@code keptBytes} bytes. */
  Simulator(Problem problem, int samples, int threads, long keptBytes) {
    this(
        problem,
        threads,
        RankModel.of(problem),
        draws(problem, samples, RankModel.of(problem), keptBytes),
        KnownStates.none(),
        SamplingLimit.NONE);
  }

  private Simulator(
      Problem problem,
      int threads,
      RankModel ranks,
      Draws draws,
      KnownStates states,
      SamplingLimit limit) {
    this.limit = limit;
    this.ranks = ranks;
    this.problem = problem;
    this.dag = new ExecutionDag(problem.workload());
    this.draws = draws;
    this.states = states;
    this.threads = Preconditions.atLeast("threads", 1, threads);
  }

  private static Draws draws(Problem problem, int samples, RankModel ranks, long keptBytes) {
    return new Draws(problem, Preconditions.atLeast("samples", 1, samples), ranks, keptBytes);
  }

  /**
   * Returns the estimate of {@code plan} from all samples.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public Estimate simulate(Plan plan) {
    IncrementalSampling incrementalSampling = sampling(plan);
    incrementalSampling.sampleUpTo(draws.samples());
    return incrementalSampling.estimate();
  }

  /**
   * Returns the estimate of {@code plan} from as many samples as necessary for standard errors of
   * at most 0.05 % of all displayed figures (mean, p5, p50 and p95 of completion time and cost). It
   * uses at least 1,000 samples and at most all, see {@link
   * IncrementalSampling#sampleUntilAccurate}. The criterion is stricter than 0.2 % of the mean
   * because deadlines are compared with p95.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public Estimate simulateUntilAccurate(Plan plan) {
    return simulateUntilAccurate(plan, played -> {});
  }

  /**
   * Returns the same estimate as {@link #simulateUntilAccurate(Plan)} and reports progress.
   *
   * @param played receives the number of simulated samples after each block, from any thread and
   *     not always in order
   */
  public Estimate simulateUntilAccurate(Plan plan, IntConsumer played) {
    return sampledUntilAccurate(plan, played).estimate();
  }

  /**
   * Returns the sampling of {@link #simulateUntilAccurate(Plan, IntConsumer)}, which also has the
   * number of tasks by rung.
   */
  public IncrementalSampling sampledUntilAccurate(Plan plan, IntConsumer played) {
    IncrementalSampling incrementalSampling = sampling(plan);
    incrementalSampling.sampleUntilAccurate(FEWEST, samples(), SETTLED, played);
    return incrementalSampling;
  }

  /**
   * Returns what happens in the first sample of {@code plan}, in order.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public List<TraceEvent> trace(Plan plan) {
    PlanRules.check(problem, plan);
    return TimelinePlan.of(problem, plan, draws, ranks)
        .map(TimelinePlan::firstEvents)
        .orElseGet(() -> new GroupTraceEvents(problem, plan, draws, ranks).events());
  }

  /**
   * Returns the completed DAG of the first sample of {@code plan}, without faults.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public CompletedDag firstSample(Plan plan) {
    PlanRules.check(problem, plan);
    return TimelinePlan.of(problem, plan, draws, ranks)
        .map(compiled -> compiled.firstDag(problem))
        .orElseGet(
            () -> {
              TracedRun run = new TracedRun(problem, plan, draws);
              run.simulate(0);
              return new CompletedDagBuilder(problem, run).dag();
            });
  }

  /**
   * Returns the completed DAG of {@code plan} with every draw at its mean, without faults.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public static CompletedDag dagAtMeans(Problem problem, Plan plan) {
    PlanRules.check(problem, plan);
    return new Simulator(DelayCause.withoutSpread(problem), 1).firstSample(plan);
  }

  /** Returns the maximum number of samples per plan; 1 if nothing in the problem varies. */
  public int samples() {
    return draws.samples();
  }

  /**
   * Returns the joint samples of {@code plan}, from the same random streams as {@link #simulate}.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public JointSamples sample(Plan plan) {
    return sample(plan, played -> {});
  }

  /**
   * Returns the joint samples of {@code plan}, and reports progress.
   *
   * @param played receives the number of samples after each block, from any thread and not always
   *     in order
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public JointSamples sample(Plan plan, IntConsumer played) {
    return sampling(plan).sampleUpTo(draws.samples(), played);
  }

  /**
   * Starts the incremental sampling of {@code plan}; no sample is drawn yet.
   *
   * @throws IllegalPlanException if the problem does not allow the plan; contains all faults
   */
  public IncrementalSampling sampling(Plan plan) {
    return new IncrementalSampling(problem, plan, dag, draws, ranks, states, threads, limit);
  }
}
