package io.elastune.simulator;

import io.elastune.core.Check;
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
 * Predicts completion time (seconds) and cost (USD) of given plans for one problem, as model.md
 * specifies. Common random numbers: every plan sees the same draws for each trial of each group and
 * for each instance of each chain, in order of request, so that plans differ by what they decide
 * and not by luck. The same problem, plan and number of samples give the same result, bit by bit,
 * on one thread or many.
 *
 * <p>Draws are kept for the next plan while they fit into some 64 MiB. Several threads may use one
 * simulator at once: they share nothing but those draws.
 */
public final class Simulator {
  /** The first look at the sampling error comes after so many samples, the next ones … */
  private static final int FEWEST = 1000;

  /** … whenever there are so many times more. */
  private static final double MORE = 1.25;

  /** The standard error, as a fraction of each figure, at which it is known well enough. */
  private static final double SETTLED = 0.0005;

  private final Problem problem;
  private final ExecutionDag dag;
  private final Draws draws;
  private final int threads;

  /** A simulator of {@code problem} that plays on the thread that asks. */
  public Simulator(Problem problem, int samples) {
    this(problem, samples, 1);
  }

  /**
   * A simulator of {@code problem}.
   *
   * @param samples how often each plan is played (at most, where less is enough), at least 1; once
   *     is enough, and done once, when nothing in the problem varies
   * @param threads on how many threads a plan is played, at least 1
   */
  public Simulator(Problem problem, int samples, int threads) {
    this(problem, samples, threads, Draws.KEPT_BYTES);
  }

  /** The same, with so many bytes of draws at most kept for the next plan. */
  Simulator(Problem problem, int samples, int threads, long keptBytes) {
    this.problem = problem;
    this.dag = new ExecutionDag(problem.workload());
    this.draws = new Draws(problem, Check.atLeast("samples", 1, samples), keptBytes);
    this.threads = Check.atLeast("threads", 1, threads);
  }

  /**
   * The estimate of {@code plan} from all samples.
   *
   * @throws IllegalPlanException if the problem does not allow it, with everything that is wrong
   */
  public Estimate simulate(Plan plan) {
    return estimate(playAll(plan));
  }

  /**
   * The estimate of {@code plan} from as many samples as it takes until the standard errors of all
   * figures shown of the whole plan (mean, p5, p50, p95 of completion and cost) are at most 0.05 %
   * of them, at least 1,000 and never more than all. It is looked at after 1,000 samples and
   * whenever there are a quarter more, always on whole blocks, so the number does not depend on the
   * threads. Stricter than 0.2 % of the mean alone, for a deadline is judged by p95.
   *
   * @throws IllegalPlanException if the problem does not allow it, with everything that is wrong
   */
  public Estimate simulateUntilSettled(Plan plan) {
    return simulateUntilSettled(plan, played -> {});
  }

  /**
   * The same, with a word on how it goes on.
   *
   * @param played is told how many samples have been played, block after block, by any thread and
   *     not always in order
   */
  public Estimate simulateUntilSettled(Plan plan, IntConsumer played) {
    Program program = compile(plan);
    Outcome outcome = outcome();
    int samples = FEWEST;
    do {
      play(program, outcome, samples, played);
      samples = (int) Math.min(MORE * outcome.samples(), Integer.MAX_VALUE);
    } while (outcome.samples() < draws.samples() && !outcome.settled(SETTLED));
    return estimate(outcome);
  }

  /** How often a plan is played at most; once when nothing in the problem varies. */
  public int samples() {
    return draws.samples();
  }

  private static long wholeBlocks(int samples) {
    return (long) Blocks.of(samples) * Blocks.SIZE;
  }

  /**
   * The joint draws of {@code plan}, from the same streams as {@link #simulate}.
   *
   * @throws IllegalPlanException if the problem does not allow it, with everything that is wrong
   */
  public Samples sample(Plan plan) {
    return playAll(plan).joint();
  }

  /**
   * Begins to sample {@code plan}; nothing is played yet.
   *
   * @throws IllegalPlanException if the problem does not allow it, with everything that is wrong
   */
  public Sampling sampling(Plan plan) {
    return new Sampling(this, compile(plan), outcome());
  }

  private Outcome playAll(Plan plan) {
    Outcome outcome = outcome();
    play(compile(plan), outcome, draws.samples(), played -> {});
    return outcome;
  }

  private Program compile(Plan plan) {
    PlanRules.check(problem, plan);
    return new Program(problem, plan, dag, draws);
  }

  private Outcome outcome() {
    return new Outcome(problem.workload().groups().size(), problem.running());
  }

  /** Goes on until there are so many samples in whole blocks, or all. */
  void play(Program program, Outcome outcome, int atLeast, IntConsumer told) {
    int samples = (int) Math.min(wholeBlocks(atLeast), draws.samples());
    if (samples <= outcome.samples()) {
      return;
    }
    int from = Blocks.number(outcome.samples());
    AtomicInteger played = new AtomicInteger(outcome.samples());
    outcome.grow(samples);
    Blocks.play(
        from,
        Blocks.of(samples),
        threads,
        () -> {
          Sampler sampler = new Sampler(program);
          return block -> {
            sampler.play(block, outcome);
            told.accept(played.addAndGet(Blocks.end(block, samples) - Blocks.start(block)));
          };
        });
  }

  Estimate estimate(Outcome outcome) {
    List<TrialGroup> groups = problem.workload().groups();
    int[] startsAfter = new int[groups.size()];
    Arrays.setAll(
        startsAfter, group -> Arrays.stream(dag.predecessors(group)).findFirst().orElse(-1));
    return outcome.estimate(problem.limits(), groups, startsAfter);
  }
}
