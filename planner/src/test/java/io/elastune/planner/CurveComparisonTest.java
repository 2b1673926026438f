package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.config.CurvesFile;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Metric;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.TraceEvent;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.rank.RankModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Plays searches with recorded learning curves ({@code scripts/record-curves}) in random orders,
 * and compares cost, time and the metric of the best trial. With {@code
 * -Delastune.comparison=curves} it writes the table of docs/searches.md.
 */
class CurveComparisonTest {
  private static final PlannerOptions OPTIONS = new PlannerOptions(Kind.BEST, 400, 20_000);
  private static final int ORDERS = Integer.getInteger("elastune.comparison.orders", 1_000);
  private static final double CV = 0.5;
  private static final double DEADLINE_S = 2_400;
  private static final int MOST_INSTANCES = 64;
  private static final int ETA = 3;
  private static final int UNITS = 81;
  private static final int TRIALS = 81;
  private static final int MORE_TRIALS = 243;
  private static final int RECORDED = 300;
  private static final double USD_PER_HOUR = 12.24;
  private static final String BEGIN = "<!-- curves: begin -->\n";
  private static final String END = "<!-- curves: end -->";

  private final LearningCurves recorded = recorded();

  /** A search with a plan for it. */
  private record Planned(Problem problem, Plan plan) {
    static Planned of(Problem problem, PlanResult.Found found) {
      return new Planned(problem, found.plan());
    }
  }

  /** What a search finds, on average over the orders of the trials. */
  private record Result(double usd, double seconds, double trials, double metric, double error) {
    String cells() {
      return String.format(
          Locale.ROOT, "%.0f | %.2f | %,.0f | %.2f (± %.2f)", trials, usd, seconds, metric, error);
    }
  }

  /** Releasing instances changes the cost only. */
  @Test
  void elasticAndStaticPlansFindTheSame() {
    Problem problem =
        SearchComparisonTest.problem(SearchComparisonTest.asha(27, ETA, 27), 0, 1_200, 8);
    PlanResult.Found found = SearchComparisonTest.plan(problem, OPTIONS).orElseThrow();
    Plan held = new Plan(true, found.plan().allocations());

    Result elastic = play(Planned.of(problem, found), 10);
    Result fixed = play(new Planned(problem, held), 10);

    assertThat(elastic.usd()).isLessThan(fixed.usd());
    assertThat(elastic.seconds()).isEqualTo(fixed.seconds());
    assertThat(elastic.metric()).isEqualTo(fixed.metric()).isGreaterThan(60);
  }

  @Test
  @EnabledIfSystemProperty(named = "elastune.comparison", matches = "curves")
  void writesTheTable() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("| search | trials | cost USD | time s | accuracy of the best trial, % |");
    lines.add("|---|---|---|---|---|");
    searches()
        .forEach(
            (name, planned) ->
                lines.add("| " + name + " | " + play(planned, ORDERS).cells() + " |"));
    SearchComparisonTest.write(BEGIN, String.join("\n", lines) + "\n", END);
  }

  private static Map<String, Planned> searches() {
    Map<String, Planned> searches = new LinkedHashMap<>();
    Problem sha = problem(SearchComparisonTest.sha(TRIALS, ETA, UNITS));
    Problem asha = problem(SearchComparisonTest.asha(TRIALS, ETA, UNITS));
    Problem hyperband = problem(SearchComparisonTest.brackets());
    PlanResult.Found halving = SearchComparisonTest.plan(sha, OPTIONS).orElseThrow();
    PlanResult.Found rungs = SearchComparisonTest.plan(asha, OPTIONS).orElseThrow();
    searches.put("`sha`, static", new Planned(sha, fixed(halving)));
    searches.put("`sha`, elastic", Planned.of(sha, halving));
    searches.put("`asha`, static", new Planned(asha, fixed(rungs)));
    searches.put("`asha`, elastic", Planned.of(asha, rungs));
    for (Brackets brackets : List.of(Brackets.SEPARATE, Brackets.SHARED)) {
      PlanResult.Found found =
          SearchComparisonTest.plan(hyperband, OPTIONS.withBrackets(brackets)).orElseThrow();
      searches.put("`hyperband`, " + brackets.word(), Planned.of(hyperband, found));
    }
    Problem larger = problem(SearchComparisonTest.sha(MORE_TRIALS, ETA, UNITS));
    searches.put("`sha`, elastic, " + MORE_TRIALS + " trials", planned(larger));
    searches.put(
        "`asha`, elastic, " + MORE_TRIALS + " trials",
        planned(problem(SearchComparisonTest.asha(MORE_TRIALS, ETA, UNITS))));
    double usd = halving.estimate().costUsd().mean();
    for (int instances : List.of(2, 4, 6)) {
      double endS = Math.floor(usd / instances / USD_PER_HOUR * 3600);
      String of = String.format(Locale.ROOT, " for %,.0f s, ", endS);
      String some = instances + " instances";
      searches.put("`asha` with `stop.time`" + of + "up to " + some, planned(timed(usd, endS)));
      searches.put("`policy: hypersched`" + of + some, hyperSched(instances, endS));
    }
    return searches;
  }

  private static Plan fixed(PlanResult.Found found) {
    return TestJobs.baseline(found.baselines(), "static").plan().orElseThrow();
  }

  private static Problem problem(Workload workload) {
    return SearchComparisonTest.problem(workload, CV, DEADLINE_S, MOST_INSTANCES);
  }

  private static Planned planned(Problem problem) {
    return Planned.of(problem, SearchComparisonTest.plan(problem, OPTIONS).orElseThrow());
  }

  /** Returns a search that ends at a time, and may start as many trials as were recorded. */
  private static Problem timed(double usd, double endS) {
    RungRule rule =
        SearchComparisonTest.asha(RECORDED, ETA, UNITS)
            .rungs()
            .orElseThrow()
            .withTime(Optional.of(new RungRule.TimeLimit(OptionalDouble.of(endS))));
    return problem(Workload.of(rule))
        .withLimits(
            TestJobs.limits(OptionalDouble.empty(), OptionalDouble.of(usd), MOST_INSTANCES));
  }

  private static Planned hyperSched(int instances, double endS) {
    RungRule promotion = SearchComparisonTest.asha(RECORDED, ETA, UNITS).rungs().orElseThrow();
    RungRule rule =
        new RungRule(
            promotion.targets(),
            RECORDED,
            ETA,
            RungRule.Variant.STOPPING,
            false,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false);
    Problem problem =
        problem(Workload.of(rule))
            .withLimits(TestJobs.deadline(endS, MOST_INSTANCES))
            .withCluster(new FixedCluster(instances, HyperSchedOptions.DEFAULT));
    Allocation all = new Allocation(problem.offers().get(0).name(), instances, 1, 1);
    return new Planned(problem, new Plan(true, Map.of(Workload.OPEN, all, Workload.CLOSING, all)));
  }

  private Result play(Planned planned, int orders) {
    double usd = 0;
    double seconds = 0;
    double trials = 0;
    double metric = 0;
    double squares = 0;
    for (int order = 1; order <= orders; order++) {
      LearningCurves curves = inOrder(order);
      Simulator simulator =
          new Simulator(planned.problem().withSeed(order), 1, 1, RankModel.recorded(curves));
      Estimate estimate = simulator.simulate(planned.plan());
      List<TraceEvent.Task> ended = ended(simulator.trace(planned.plan()));
      double best = best(curves, ended);
      usd += estimate.costUsd().mean();
      seconds += estimate.completionS().mean();
      trials += ended.stream().map(TraceEvent.Task::trial).distinct().count();
      metric += best;
      squares += best * best;
    }
    double mean = metric / orders;
    double error = Math.sqrt(Math.max(0, squares / orders - mean * mean) / orders);
    return new Result(usd / orders, seconds / orders, trials / orders, mean, error);
  }

  private static List<TraceEvent.Task> ended(List<TraceEvent> events) {
    return events.stream()
        .filter(event -> event.kind() == TraceEvent.Kind.END)
        .flatMap(event -> event.task().stream())
        .toList();
  }

  /** Returns the best last metric of those trials that passed the most rungs. */
  private static double best(LearningCurves curves, List<TraceEvent.Task> ended) {
    int most = ended.stream().mapToInt(task -> rung(task.to())).max().orElseThrow();
    return ended.stream()
        .filter(task -> rung(task.to()) == most)
        .map(task -> curves.metric(task.trial(), task.to()))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** Returns how many rungs a trial has passed after so many units. */
  private static int rung(int units) {
    int rung = 0;
    for (int target = 1; target <= units; target *= ETA) {
      rung++;
    }
    return rung;
  }

  /** Returns the recorded curves in a random order. */
  private LearningCurves inOrder(long seed) {
    List<Integer> trials = new ArrayList<>(recorded.points().keySet());
    Collections.shuffle(trials, new Random(seed));
    Map<Integer, NavigableMap<Integer, LearningCurves.Point>> points = new TreeMap<>();
    for (int i = 0; i < trials.size(); i++) {
      points.put(i + 1, recorded.points().get(trials.get(i)));
    }
    return new LearningCurves(recorded.goal(), new TreeMap<>(points));
  }

  private static LearningCurves recorded() {
    try (var file = CurveComparisonTest.class.getResourceAsStream("/curves.csv")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return CurvesFile.parse("curves.csv", text, Metric.Goal.MAXIMIZE).orThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
