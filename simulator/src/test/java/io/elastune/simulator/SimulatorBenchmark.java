package io.elastune.simulator;

import io.elastune.core.Spread;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawDistribution;
import io.elastune.simulator.draw.DrawDistributions;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.draw.LogNormalDraws;
import io.elastune.simulator.draw.SampleBlocks;
import io.elastune.simulator.instance.Draws;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures a thousand samples of successive halving (eta 2, down to one trial) on one thread, and
 * for comparison the time to draw the same random numbers. Trials, boots and queues vary, but
 * start-up does not. This is the hard case, because every trial needs only one draw.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SimulatorBenchmark {
  private static final int SAMPLES = 1000;
  private static final int GPUS = 4;

  /** Trials and slots of the first group; later groups keep the instances that they can use. */
  @Param({"64x64", "64x8", "4096x4096", "4096x512", "4096x64", "512x64", "65536x8192"})
  public String shape = "";

  /** Whether faults occur at the shipped rates. */
  @Param("false")
  public boolean faults;

  private Problem problem = WorkedExample.problem(0, 0, 0);
  private Plan plan = WorkedExample.plan("1×1", false);
  private Simulator warm = new Simulator(problem, 1);

  /** Creates the job and the plan. */
  @Setup
  public void prepare() {
    String[] parts = shape.split("x", -1);
    int slots = Integer.parseInt(parts[1]);
    List<TrialGroup> groups = new ArrayList<>();
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    String offer = "aws/us-east-1/p3.8xlarge/on-demand";
    int unit = 0;
    for (int trials = Integer.parseInt(parts[0]); trials > 0; trials /= 2) {
      String name = String.valueOf(groups.size() + 1);
      int next = Math.max(1, 2 * unit);
      groups.add(new TrialGroup(name, trials, unit, next));
      int instances = (Math.min(trials, slots) + GPUS - 1) / GPUS;
      allocations.put(name, new Allocation(offer, instances, 1, 1));
      unit = next;
    }
    problem =
        WorkedExample.problem(
            List.of(new Chain("", groups)),
            List.of(
                WorkedExample.offer(
                    "p3.8xlarge",
                    "V100",
                    GPUS,
                    WorkedExample.EC2,
                    new Spread(15, 0.3),
                    new Spread(60, 0.4))),
            WorkedExample.profile(0.05, 0.1));
    problem =
        problem.withLimits(
            new Limits(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                0.95,
                slots,
                Double.POSITIVE_INFINITY));
    problem = faults ? problem.withDefaultFaults() : problem;
    plan = new Plan(false, allocations);
    warm = new Simulator(problem, SAMPLES);
    warm.simulate(plan);
  }

  /** Measures only the draws of a plan, from the same distributions into the same arrays. */
  @Benchmark
  public void drawing(Blackhole sink) {
    Draws draws = new Draws(problem, SAMPLES);
    Offer offer = problem.offers().get(0);
    Profile profile = problem.profile(offer).orElseThrow();
    Chain chain = problem.workload().chains().get(0);
    for (TrialGroup group : chain.groups()) {
      draw(draws.trials(group, profile), sink);
      draw(draws.startups(group, profile), sink);
    }
    // All instances are requested by the first group.
    for (int number = 0; number < plan.of(chain.groups().get(0)).instances(); number++) {
      draw(draws.queue(chain.name(), number, offer), sink);
      draw(draws.boot(chain.name(), number, offer), sink);
      draw(draws.slowness(chain.name(), number, profile), sink);
    }
  }

  private static void draw(DrawTable table, Blackhole sink) {
    double[] row = new double[table.width()];
    for (int block = 0; table.varies() && block < SampleBlocks.of(SAMPLES); block++) {
      Optional<double[]> kept = table.block(block);
      if (kept.isPresent()) {
        sink.consume(kept.get());
      } else {
        DrawDistribution.DrawSource drawSource = table.open(block);
        for (int i = SampleBlocks.start(block); i < SampleBlocks.end(block, SAMPLES); i++) {
          drawSource.fill(row, 0, row.length);
        }
        sink.consume(row);
      }
    }
  }

  /**
   * Measures the draws of the trials if only the longest trial of each instance were drawn, by
   * inverse transform, and all groups ran at once: one maximum per instance instead of one draw per
   * trial. Compare it with {@link #drawing}, less the draws of instances.
   */
  @Benchmark
  public void drawingMaxima(Blackhole sink) {
    Profile profile = problem.profile(problem.offers().get(0)).orElseThrow();
    for (TrialGroup group : problem.workload().chains().get(0).groups()) {
      DrawDistribution drawDistribution = DrawDistributions.ofTrial(profile, group.units());
      if (!(drawDistribution instanceof LogNormalDraws spread)) {
        throw new IllegalStateException("not log-normal: " + drawDistribution);
      }
      sink.consume(maxima(spread, group, plan.of(group).instances()));
    }
  }

  private double[] maxima(LogNormalDraws law, TrialGroup group, int instances) {
    ContinuousDistribution distribution = LogNormalDistribution.of(law.mu(), law.sigma());
    UniformRandomProvider random = RandomStreams.of(1).at(group.name()).open()::nextLong;
    double[] maxima = new double[instances * SAMPLES];
    for (int i = 0; i < maxima.length; i++) {
      int trials = Math.min(GPUS, group.trials());
      double p = Math.pow(random.nextDouble(), 1.0 / trials);
      maxima[i] = distribution.inverseCumulativeProbability(p);
    }
    return maxima;
  }

  /** Measures the first plan of a problem: draws, simulation and summary. */
  @Benchmark
  public Estimate firstPlan() {
    return new Simulator(problem, SAMPLES).simulate(plan);
  }

  /** Measures a plan whose draws are cached, as when the planner compares plans. */
  @Benchmark
  public Estimate nextPlan() {
    return warm.simulate(plan);
  }
}
