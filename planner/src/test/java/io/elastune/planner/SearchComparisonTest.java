package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Plans the same search as static and elastic successive halving, and as static and elastic ASHA;
 * and Hyperband with and without shared instances. With {@code -Delastune.comparison=full} it
 * writes the table of docs/searches.md, and with {@code -Delastune.comparison=sizes} that of other
 * sizes of searches.
 */
class SearchComparisonTest {
  private static final PlannerOptions OPTIONS = new PlannerOptions(Kind.BEST, 2_000, 200_000);
  private static final PlannerOptions POOL = new PlannerOptions(Kind.GREEDY, 400, 20_000);
  private static final int MOST_INSTANCES = 12;
  private static final double[][] CASES = {
    {0.05, 1_200}, {0.05, 2_400}, {0.5, 1_600}, {0.5, 2_400}, {1.0, 2_200}, {1.0, 3_600}
  };
  private static final String BEGIN = "<!-- comparison: begin -->\n";
  private static final String END = "<!-- comparison: end -->";
  private static final PlannerOptions FEWER = new PlannerOptions(Kind.BEST, 400, 20_000);
  private static final double SIZES_CV = 0.5;
  private static final int SIZES_INSTANCES = 64;
  private static final String SIZES_BEGIN = "<!-- sizes: begin -->\n";
  private static final String SIZES_END = "<!-- sizes: end -->";

  /** Eta, the trials, and the units of a fully trained one. */
  private static final int[][] SIZES = {
    {3, 27, 27}, {2, 32, 32}, {4, 64, 64}, {2, 128, 128}, {4, 256, 256}, {4, 1_024, 256}
  };

  /** The cost of a plan, and how long it takes. */
  private record Result(double usd, double seconds) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.2f (%,.0f)", usd, seconds);
    }
  }

  @Test
  void elasticPlansCostLessThanStaticOnes() {
    PlanResult.Found asha = plan(asha(27, 3, 9), 0.5, 1_200).orElseThrow();
    PlanResult.Found sha = plan(sha(27, 3, 9), 0.5, 1_200).orElseThrow();

    assertThat(asha.estimate().costUsd().mean()).isLessThan(fixed(asha).usd());
    assertThat(sha.estimate().costUsd().mean()).isLessThan(fixed(sha).usd());
    assertThat(sha.estimate().costUsd().mean()).isLessThan(asha.estimate().costUsd().mean());
  }

  @Test
  @EnabledIfSystemProperty(named = "elastune.comparison", matches = "full")
  void writesTheTable() throws IOException {
    write(
        BEGIN, String.join("\n", halving()) + "\n\n" + String.join("\n", hyperband()) + "\n", END);
  }

  @Test
  @EnabledIfSystemProperty(named = "elastune.comparison", matches = "sizes")
  void writesTheTableOfSizes() throws IOException {
    write(SIZES_BEGIN, String.join("\n", sizes()) + "\n", SIZES_END);
  }

  static void write(String begin, String table, String end) throws IOException {
    Path page = Path.of("").toAbsolutePath().getParent().resolve("docs/searches.md");
    String text = Files.readString(page);
    int from = text.indexOf(begin) + begin.length();
    Files.writeString(page, text.substring(0, from) + table + text.substring(text.indexOf(end)));
  }

  /** The deadline is 2.25 times as long as one trial trains on four GPUs, and 10 min more. */
  private static List<String> sizes() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| eta, trials, units | deadline s | `sha` static | `sha` elastic | `asha` static"
            + " | `asha` elastic |");
    lines.add("|---|---|---|---|---|---|");
    for (int[] one : SIZES) {
      double deadlineS = 600 + Math.rint(2.25 * one[2] * TestJobs.RESNET50.get(4));
      Workload synchronous = sha(one[1], one[0], one[2]);
      Workload asynchronous = asha(one[1], one[0], one[2]);
      Optional<PlanResult.Found> sha =
          plan(problem(synchronous, SIZES_CV, deadlineS, SIZES_INSTANCES), FEWER);
      Optional<PlanResult.Found> asha =
          plan(problem(asynchronous, SIZES_CV, deadlineS, SIZES_INSTANCES), FEWER);
      lines.add(
          String.format(
              Locale.ROOT,
              "| %d, %,d, %d | %,.0f | %s | %s | %s | %s |",
              one[0],
              one[1],
              one[2],
              deadlineS,
              cell(sha.map(SearchComparisonTest::fixed)),
              cell(sha.map(SearchComparisonTest::elastic)),
              cell(asha.map(SearchComparisonTest::fixed)),
              cell(asha.map(SearchComparisonTest::elastic))));
      System.out.println(lines.get(lines.size() - 1)); // large searches take minutes
    }
    return lines;
  }

  private static List<String> halving() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| spread (cv), deadline s | `sha` static | `sha` elastic | `asha` static | `asha` elastic"
            + " |");
    lines.add("|---|---|---|---|---|");
    for (double[] one : CASES) {
      Optional<PlanResult.Found> sha = plan(sha(81, 3, 81), one[0], one[1]);
      Optional<PlanResult.Found> asha = plan(asha(81, 3, 81), one[0], one[1]);
      lines.add(
          String.format(
              Locale.ROOT,
              "| %s, %,.0f | %s | %s | %s | %s |",
              one[0],
              one[1],
              cell(sha.map(SearchComparisonTest::fixed)),
              cell(sha.map(SearchComparisonTest::elastic)),
              cell(asha.map(SearchComparisonTest::fixed)),
              cell(asha.map(SearchComparisonTest::elastic))));
    }
    return lines;
  }

  private static List<String> hyperband() {
    List<String> lines = new ArrayList<>();
    lines.add("| spread (cv), deadline s | Hyperband, separate instances | shared instances |");
    lines.add("|---|---|---|");
    for (double[] one : new double[][] {{0, 2_400}, {0, 7_200}, {0.05, 2_400}}) {
      Problem problem = problem(brackets(), one[0], one[1], 64);
      lines.add(
          String.format(
              Locale.ROOT,
              "| %s, %,.0f | %s | %s |",
              one[0],
              one[1],
              cell(
                  plan(problem, POOL.withBrackets(Brackets.SEPARATE))
                      .map(SearchComparisonTest::elastic)),
              cell(
                  plan(problem, POOL.withBrackets(Brackets.SHARED))
                      .map(SearchComparisonTest::elastic))));
    }
    return lines;
  }

  private static String cell(Optional<Result> result) {
    return result.map(Result::toString).orElse("–");
  }

  private static Result elastic(PlanResult.Found found) {
    return new Result(found.estimate().costUsd().mean(), found.estimate().completionS().mean());
  }

  private static Result fixed(PlanResult.Found found) {
    Baseline baseline = TestJobs.baseline(found.baselines(), "static");
    return new Result(baseline.costUsd(), baseline.completionS());
  }

  private static Optional<PlanResult.Found> plan(Workload workload, double cv, double deadlineS) {
    return plan(problem(workload, cv, deadlineS, MOST_INSTANCES), OPTIONS);
  }

  static Optional<PlanResult.Found> plan(Problem problem, PlannerOptions options) {
    PlanResult result = new Planner(problem, options).plan();
    return result instanceof PlanResult.Found found ? Optional.of(found) : Optional.empty();
  }

  static Problem problem(Workload workload, double cv, double deadlineS, int instances) {
    return TestJobs.problem(
        workload,
        TestJobs.p3(0),
        TestJobs.profile("V100", TestJobs.RESNET50, cv, 0),
        TestJobs.deadline(deadlineS, instances));
  }

  static Workload asha(int trials, int eta, int max) {
    List<Integer> targets = new ArrayList<>();
    for (int target = 1; target <= max; target *= eta) {
      targets.add(target);
    }
    return Workload.of(
        new RungRule(
            targets,
            trials,
            eta,
            RungRule.Variant.PROMOTION,
            true,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false));
  }

  static Workload sha(int trials, int eta, int max) {
    return new Workload(List.of(chain("", trials, eta, 1, max)));
  }

  static Workload brackets() {
    return new Workload(
        List.of(
            chain("a", 81, 3, 1, 81),
            chain("b", 34, 3, 3, 81),
            chain("c", 15, 3, 9, 81),
            chain("d", 8, 3, 27, 81),
            chain("e", 5, 3, 81, 81)));
  }

  private static Chain chain(String name, int trials, int eta, int min, int max) {
    List<TrialGroup> groups = new ArrayList<>();
    int alive = trials;
    int from = 0;
    for (int to = min; to <= max; to *= eta) {
      String number = Integer.toString(groups.size() + 1);
      groups.add(new TrialGroup(name.isEmpty() ? number : name + "." + number, alive, from, to));
      from = to;
      alive = Math.max(1, alive / eta);
    }
    return new Chain(name, groups);
  }
}
