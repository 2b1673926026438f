package io.elastune.planner.quality;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Writes the section of docs/performance.md that has the results of the full suite. */
final class QualityPage {
  static final String COMMAND =
      "mvn -pl planner -am test -Dtest=PlannerQualityTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Delastune.quality=full";

  private static final String TITLE = "## Planner: quality";
  private static final double[] SLACKS = {1.05, 1.25, 1.5, 2, 3, 5};
  private final List<String> lines = new ArrayList<>();

  /** Replaces the section of {@code page} with the same title, or appends it. */
  static void write(Path page, String section) throws IOException {
    String text = Files.exists(page) ? Files.readString(page) : "# Performance\n\n";
    int begin = text.indexOf(TITLE + "\n");
    if (begin < 0) {
      Files.writeString(page, text.stripTrailing() + "\n\n" + section);
      return;
    }
    int end = text.indexOf("\n## ", begin + TITLE.length());
    String rest = end < 0 ? "" : text.substring(end);
    Files.writeString(page, text.substring(0, begin) + section + rest);
  }

  static String text(
      int smallJobs,
      int mismatches,
      List<HalvingJob> halving,
      NoisyJobs ordinary,
      NoisyJobs small) {
    QualityPage page = new QualityPage();
    page.add(TITLE);
    page.add("");
    page.add(
        "The tests use random jobs from published figures: speedups of programs on T4, V100 and A100"
            + " GPUs (ElasticFlow, HyperSched)");
    page.add(
        "and list prices of AWS and Google Cloud (sources in"
            + " `planner/src/test/resources/quality/`). This command");
    page.add("");
    page.add("    " + COMMAND);
    page.add("");
    page.add("writes this section, and fails if a limit stated here is violated.");
    page.add("The normal build runs the same tests on fewer jobs.");
    page.add("The results do not depend on the machine, because no time is measured.");
    page.add("");
    page.exactness(smallJobs, mismatches);
    page.gaps(halving);
    page.savings(halving);
    page.probabilities(ordinary, small);
    return String.join("\n", page.lines) + "\n";
  }

  private void exactness(int jobs, int mismatches) {
    add("### Exact planner and brute force");
    add("");
    add("Every plan of " + jobs + " small jobs was simulated.");
    add(
        "For each job, the planner had to find the cheapest plan for three deadlines, the fastest"
            + " plan for a budget,");
    add(
        "and the nearest limits if no plan exists: **"
            + mismatches
            + " mismatches** in "
            + 6 * jobs
            + " results (limit: 0).");
    add("");
  }

  private void gaps(List<HalvingJob> jobs) {
    add("### Planners and the proven optimum");
    add("");
    add(
        jobs.size()
            + " successive-halving jobs: eta 2 to 4, 8 to 256 trials, instances of 1, 4 or 8 GPUs (a"
            + " quarter of the jobs may mix them),");
    add("8 to 32 instances, deadlines of 1.05 to 5 times the fastest plan.");
    add(
        "The table shows the cost above the optimum. Limits for greedy alone: mean 0.3 %, p99 5 %.");
    add("");
    add("| planner | jobs with a plan on time | mean | p50 | p99 | worst |");
    add("|---|---|---|---|---|---|");
    gap("Elastune (the cheaper of greedy and exact)", jobs, j -> some(j.bestUsd()));
    gap("greedy alone (`--planner greedy`)", jobs, j -> some(j.greedyUsd()));
    gap("literal greedy, from the cheapest static cluster", jobs, HalvingJob::literalUsd);
    gap("best static cluster", jobs, HalvingJob::staticUsd);
    gap("naive elastic: GPUs per trial fixed", jobs, HalvingJob::naiveUsd);
    add("");
  }

  private static OptionalDouble some(double value) {
    return OptionalDouble.of(value);
  }

  private void gap(String name, List<HalvingJob> jobs, Function<HalvingJob, OptionalDouble> usd) {
    Statistics gaps =
        Statistics.of(
            jobs.stream()
                .filter(job -> usd.apply(job).isPresent())
                .mapToDouble(job -> job.gap(usd.apply(job).getAsDouble())));
    add(
        row(
            name,
            gaps.count(),
            Statistics.percent(gaps.mean()),
            Statistics.percent(gaps.quantile(0.5)),
            Statistics.percent(gaps.quantile(0.99)),
            Statistics.percent(gaps.max())));
  }

  private void savings(List<HalvingJob> jobs) {
    add("### Savings from elasticity, by the slack of the deadline");
    add("");
    add("The table shows the cost of the best static cluster divided by the cost of the plan.");
    add("The published result of the approach is “up to 2×”.");
    add("");
    add(
        "| deadline ÷ fastest | jobs | median | p90 | maximum | at least 2× | naive elastic, median |");
    add("|---|---|---|---|---|---|---|");
    for (int i = 0; i + 1 < SLACKS.length; i++) {
      double low = SLACKS[i];
      double high = SLACKS[i + 1];
      List<HalvingJob> some =
          jobs.stream().filter(job -> job.slack() >= low && job.slack() < high).toList();
      saving(String.format(Locale.ROOT, "%.2f to %.2f", low, high), some);
    }
    saving("all", jobs);
    add("");
    add("![Savings over the best static cluster by slack of the deadline](planner-savings.svg)");
    add("");
    Statistics all = savingsOf(jobs);
    double latest =
        jobs.stream()
            .filter(job -> job.savings().orElse(0) >= 2)
            .mapToDouble(HalvingJob::slack)
            .max()
            .orElse(Double.NaN);
    add(
        String.format(
            Locale.ROOT,
            "%.1f %% of the jobs reach 2×, none with a deadline of more than %.2f times the fastest"
                + " plan.",
            100 * all.share(2),
            latest));
    add(
        "If the deadline is tight, a static cluster must be large enough for the first group and is"
            + " idle in the later ones.");
    add(
        "If it is not, a small static cluster is nearly as good (median over all jobs "
            + Statistics.factor(all.quantile(0.5))
            + ").");
    add("");
  }

  private static Statistics savingsOf(List<HalvingJob> jobs) {
    return Statistics.of(jobs.stream().flatMapToDouble(job -> job.savings().stream()));
  }

  private void saving(String name, List<HalvingJob> jobs) {
    Statistics savings = savingsOf(jobs);
    Statistics naive =
        Statistics.of(
            jobs.stream()
                .filter(job -> job.naiveUsd().isPresent())
                .mapToDouble(job -> job.naiveUsd().getAsDouble() / job.bestUsd()));
    add(
        row(
            name,
            jobs.size(),
            Statistics.factor(savings.quantile(0.5)),
            Statistics.factor(savings.quantile(0.9)),
            Statistics.factor(savings.max()),
            Statistics.percent(savings.share(2)),
            Statistics.factor(naive.quantile(0.5))));
  }

  private void probabilities(NoisyJobs ordinary, NoisyJobs small) {
    add("### Accuracy of on-time probabilities");
    add("");
    add(
        "Jobs as above, but trials vary by 1 to 10 %, and start-up and boot times vary too;"
            + " confidence 0.95.");
    add("Each plan was sampled " + NoisyJob.EXECUTIONS + " times with another seed.");
    add("Limits for every job: |predicted − sampled| ≤ 0.02, sampled ≥ 0.93.");
    add(
        "Limits for the small jobs: at most 2 % more expensive on average than the cheapest plan"
            + " found by enumeration under the same test,");
    add("and at most 1 % missed: a plan exists, but the planner finds none.");
    add("");
    add(
        "| jobs | planned | largest difference | lowest sampled | extra cost: mean | p99 | worst |"
            + " missed |");
    add("|---|---|---|---|---|---|---|---|");
    probability("ordinary", ordinary);
    probability("small", small);
  }

  private void probability(String name, NoisyJobs jobs) {
    add(
        row(
            name + ", " + jobs.jobs(),
            jobs.planned().size(),
            String.format(Locale.ROOT, "%.4f", of(jobs, NoisyJob::error).max()),
            String.format(Locale.ROOT, "%.4f", of(jobs, NoisyJob::actual).min()),
            Statistics.percent(jobs.premiums().mean()),
            Statistics.percent(jobs.premiums().quantile(0.99)),
            Statistics.percent(jobs.premiums().max()),
            jobs.premiums().count() == 0 ? "–" : jobs.overlooked().size()));
  }

  private static Statistics of(NoisyJobs jobs, ToDoubleFunction<NoisyJob> quantity) {
    return Statistics.of(jobs.planned().stream().mapToDouble(quantity));
  }

  private static String row(Object... cells) {
    StringBuilder row = new StringBuilder("|");
    for (Object cell : cells) {
      row.append(' ').append(cell).append(" |");
    }
    return row.toString();
  }

  private void add(String line) {
    lines.add(line);
  }
}
