package io.elastune.planner;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.planner.combine.JobSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the run time of the planner, as the command {@code plan} calls it, on one thread. The
 * jobs are successive halving (eta 2, down to one trial) on offers of four GPU models with 1, 4 or
 * 8 GPUs each. The deadline is 1.8 times the fastest completion time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PlannerBenchmark {
  private static final double SLACK = 1.8;
  private static final double LATE = 1.1;
  private static final String[] GPUS = {"V100", "A10G", "T4", "A100"};
  private static final double[] UNIT_S = {30, 27, 67, 12.5};
  private static final double[] USD_PER_HOUR = {3.06, 1.6, 0.6, 4.1};
  private static final int[] GPUS_PER_INSTANCE = {1, 4, 8};

  /** Trials, groups, offers and instances. */
  @Param({
    "64/7/6/32",
    "512/10/6/32",
    "4096/13/6/32",
    "64/7/20/32",
    "64/7/200/32",
    "64/7/6/8",
    "64/7/6/128",
    "4096/13/20/128"
  })
  public String shape = "";

  /** Coefficient of variation of trials, start-ups and boot times; 0 means no spread. */
  @Param({"0", "0.05"})
  public double spread;

  /** Whether offers and profiles have the shipped fault rates. */
  @Param({"false", "true"})
  public boolean faults;

  /** Threads for sampling; the command uses as many as there are processors. */
  @Param("1")
  public int threads;

  private Problem problem = TestJobs.workedExample(TestJobs.deadline(1_000, 8));
  private Optional<Plan> current = Optional.empty();
  private Optional<RunSnapshot> late = Optional.empty();

  /** Builds the job and a state from which it is re-planned. */
  @Setup
  public void prepare() {
    int[] numbers = List.of(shape.split("/", -1)).stream().mapToInt(Integer::parseInt).toArray();
    Problem reliable = job(numbers[0], numbers[1], numbers[2], numbers[3], spread);
    problem = faults ? reliable.withDefaultFaults() : reliable;
    Plan found = plan().match(PlanResult.Found::plan, none -> missing(), none -> missing());
    Chain chain = problem.workload().chains().get(0);
    RunSnapshot runSnapshot =
        BarrierSnapshots.before(problem, found, chain, chain.groups().size() / 2);
    current = Optional.of(found);
    late =
        Optional.of(
            new RunSnapshot(
                LATE * runSnapshot.atS(), runSnapshot.settledUsd(), runSnapshot.chains()));
  }

  /** Returns the job, after {@link #prepare}. */
  Problem problem() {
    return problem;
  }

  /** Plans the job. */
  @Benchmark
  public PlanResult plan() {
    return new Planner(problem, PlannerOptions.DEFAULT.withThreads(threads)).plan();
  }

  /**
   * Re-plans the job as the executor does: half of the groups are complete, 10 % later than
   * planned.
   */
  @Benchmark
  public List<PlanForecast> replan() {
    return new Replanner(problem, late.orElseThrow()).alternatives(current.orElseThrow());
  }

  private static Plan missing() {
    throw new IllegalStateException("no plan to re-plan from");
  }

  private static Problem job(int trials, int groups, int offers, int most, double cv) {
    int[] trialsAndUnits = new int[2 * groups];
    for (int group = 0; group < groups; group++) {
      trialsAndUnits[2 * group] = Math.max(1, trials >> group);
      trialsAndUnits[2 * group + 1] = 1 << Math.max(0, group - 1);
    }
    Map<String, Profile> profiles = new TreeMap<>();
    for (int kind = 0; kind < GPUS.length; kind++) {
      double one = UNIT_S[kind];
      Map<Integer, Double> seconds = Map.of(1, one, 2, one / 1.87, 4, one / 3.42, 8, one / 5.6);
      profiles.put(GPUS[kind], TestJobs.profile(GPUS[kind], seconds, cv, cv));
    }
    List<Offer> all = new ArrayList<>();
    for (int i = 0; i < offers; i++) {
      all.add(offer(i, cv));
    }
    Problem free =
        new Problem(
            TestJobs.chain(trialsAndUnits),
            all,
            profiles,
            new IntRange(1, 8),
            TestJobs.deadline(1e9, most),
            HourlyCosts.NONE,
            1);
    JobSearch search = TestJobs.search(free);
    search.hasten();
    double fastestS = search.front(1e9).fastest().orElseThrow().completionS();
    return free.withLimits(TestJobs.deadline(SLACK * fastestS, most));
  }

  private static Offer offer(int number, double cv) {
    int kind = number % GPUS.length;
    int gpus = GPUS_PER_INSTANCE[number / GPUS.length % GPUS_PER_INSTANCE.length];
    return TestJobs.offer(
        "type" + number,
        GPUS[kind],
        gpus,
        USD_PER_HOUR[kind] * gpus * (0.9 + 0.01 * (number * 7 % 20)),
        TestJobs.EC2,
        new Spread(15 + number % 7, cv > 0 ? 0.3 : 0),
        new Spread(50 + 3 * (number % 15), cv > 0 ? 0.2 : 0));
  }
}
