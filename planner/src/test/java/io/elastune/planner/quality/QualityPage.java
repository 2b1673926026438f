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

/** The section of docs/performance.md that the full suite writes. */
final class QualityPage {
  static final String COMMAND =
      "mvn -pl planner -am test -Dtest=PlannerQualityTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Delastune.quality=full";

  private static final String TITLE = "## Planner: quality";
  private static final double[] SLACKS = {1.05, 1.25, 1.5, 2, 3, 5};
  private final List<String> lines = new ArrayList<>();

  /** Puts {@code section} in the place of the section of the same title, or at the end. */
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
    page.add("Random jobs of published figures: how programs scaled on T4, V100 and A100 GPUs");
    page.add("(ElasticFlow, HyperSched), list prices of AWS and Google Cloud (origins in");
    page.add("`planner/src/test/resources/quality/`). One run of");
    page.add("");
    page.add("    " + COMMAND);
    page.add("");
    page.add("which writes this section, and fails when a limit named here is broken. The normal");
    page.add(
        "build runs the same tests on fewer jobs. The same on every machine: no time is taken.");
    page.add("");
    page.exactness(smallJobs, mismatches);
    page.gaps(halving);
    page.savings(halving);
    page.promises(ordinary, small);
    return String.join("\n", page.lines) + "\n";
  }

  private void exactness(int jobs, int mismatches) {
    add("### Exact equals brute force");
    add("");
    add(
        jobs
            + " small jobs, of which every plan was tried in the simulator; each was asked for the"
            + " cheapest plan by three deadlines, the fastest for a budget, and the nearest limits"
            + " where there is none: **"
            + mismatches
            + " mismatches** in "
            + 6 * jobs
            + " answers (limit: 0).");
    add("");
  }

  private void gaps(List<HalvingJob> jobs) {
    add("### Ways of planning, against the proven optimum");
    add("");
    add(
        jobs.size()
            + " jobs of successive halving: eta 2 to 4, 8 to 256 trials, instances of 1, 4 or 8 GPUs"
            + " (a quarter of the jobs may mix them), 8 to 32 instances, deadlines of 1.05 to 5 times"
            + " the fastest plan. Cost above the optimum; limits for greedy alone: mean 0.3 %, p99"
            + " 5 %.");
    add("");
    add("| planned by | jobs with a plan on time | mean | p50 | p99 | worst |");
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
    Series gaps =
        Series.of(
            jobs.stream()
                .filter(job -> usd.apply(job).isPresent())
                .mapToDouble(job -> job.gap(usd.apply(job).getAsDouble())));
    add(
        row(
            name,
            gaps.count(),
            Series.percent(gaps.mean()),
            Series.percent(gaps.quantile(0.5)),
            Series.percent(gaps.quantile(0.99)),
            Series.percent(gaps.max())));
  }

  private void savings(List<HalvingJob> jobs) {
    add("### What elasticity saves, by the slack of the deadline");
    add("");
    add("How many times the plan's cost the best static cluster costs. The published headline of");
    add("the approach is “up to 2×”.");
    add("");
    add(
        "| deadline ÷ fastest | jobs | median | p90 | most | 2× and more | naive elastic, median |");
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
    Series all = savingsOf(jobs);
    double latest =
        jobs.stream()
            .filter(job -> job.savings().orElse(0) >= 2)
            .mapToDouble(HalvingJob::slack)
            .max()
            .orElse(Double.NaN);
    add(
        String.format(
            Locale.ROOT,
            "2× is reached by %.1f %% of the jobs, none with a deadline of more than %.2f times the"
                + " fastest plan: where the deadline is tight, a static cluster must be large enough"
                + " for the first group and idles in the later ones. With time to spare a small static"
                + " cluster is nearly as good (median over all jobs %s).",
            100 * all.share(2),
            latest,
            Series.factor(all.quantile(0.5))));
    add("");
  }

  private static Series savingsOf(List<HalvingJob> jobs) {
    return Series.of(jobs.stream().flatMapToDouble(job -> job.savings().stream()));
  }

  private void saving(String name, List<HalvingJob> jobs) {
    Series savings = savingsOf(jobs);
    Series naive =
        Series.of(
            jobs.stream()
                .filter(job -> job.naiveUsd().isPresent())
                .mapToDouble(job -> job.naiveUsd().getAsDouble() / job.bestUsd()));
    add(
        row(
            name,
            jobs.size(),
            Series.factor(savings.quantile(0.5)),
            Series.factor(savings.quantile(0.9)),
            Series.factor(savings.max()),
            Series.percent(savings.share(2)),
            Series.factor(naive.quantile(0.5))));
  }

  private void promises(NoisyJobs ordinary, NoisyJobs small) {
    add("### Promises kept");
    add("");
    add(
        "Jobs as above with trials that vary by 1 to 10 %, and start-ups and boots that vary too;"
            + " confidence 0.95. Each plan was executed "
            + NoisyJob.EXECUTIONS
            + " times by sampling with another seed. Limits for every job: |predicted − realised| ≤"
            + " 0.02, realised ≥ 0.93; for the small jobs: at most 2 % dearer on average than the"
            + " cheapest plan found by enumeration under the same test, and at most 1 % overlooked:"
            + " the planner finds no plan where there is one.");
    add("");
    add(
        "| jobs | planned | worst difference | least realised | dearer: mean | p99 | worst | overlooked |");
    add("|---|---|---|---|---|---|---|---|");
    promise("ordinary", ordinary);
    promise("small", small);
  }

  private void promise(String name, NoisyJobs jobs) {
    add(
        row(
            name + ", " + jobs.asked(),
            jobs.planned().size(),
            String.format(Locale.ROOT, "%.4f", of(jobs, NoisyJob::error).max()),
            String.format(Locale.ROOT, "%.4f", of(jobs, NoisyJob::realised).min()),
            Series.percent(jobs.premiums().mean()),
            Series.percent(jobs.premiums().quantile(0.99)),
            Series.percent(jobs.premiums().max()),
            jobs.premiums().count() == 0 ? "–" : jobs.overlooked().size()));
  }

  private static Series of(NoisyJobs jobs, ToDoubleFunction<NoisyJob> quantity) {
    return Series.of(jobs.planned().stream().mapToDouble(quantity));
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
