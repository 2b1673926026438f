package io.elastune.profiler;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** How well the profiles of many synthetic laws are measured. */
record ProfilingQuality(List<LawResult> results) {
  private static final String TITLE = "## Figures";
  static final String COMMAND =
      "mvn -pl profiler -am test -Dtest=ProfilingQualityTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Delastune.profiling=full";

  ProfilingQuality {
    results = List.copyOf(results);
  }

  /** Intervals that contain the truth, and all intervals. */
  record Coverage(int contained, int all) {
    double share() {
      return (double) contained / all;
    }
  }

  /** Returns the coverage of the intervals by the name of the number. */
  Map<String, Coverage> coverage() {
    Map<String, Coverage> byName = new TreeMap<>();
    for (LawResult result : results) {
      result
          .covered()
          .forEach(
              (name, contained) ->
                  byName.merge(
                      name,
                      new Coverage(contained ? 1 : 0, 1),
                      (a, b) -> new Coverage(a.contained() + b.contained(), a.all() + b.all())));
    }
    return byName;
  }

  /** Returns the coverage of all intervals together. */
  double totalCoverage() {
    int all = coverage().values().stream().mapToInt(Coverage::all).sum();
    return (double) coverage().values().stream().mapToInt(Coverage::contained).sum() / all;
  }

  double mean(ToDoubleFunction<LawResult> quantity) {
    return results.stream().mapToDouble(quantity).average().orElseThrow();
  }

  /** Returns the smallest value that 95 % of all do not exceed. */
  double p95(ToDoubleFunction<LawResult> quantity) {
    double[] sorted = results.stream().mapToDouble(quantity).sorted().toArray();
    return sorted[(int) Math.ceil(0.95 * sorted.length) - 1];
  }

  /** Returns {@code page} with these figures instead of the section of the same title. */
  String writtenTo(String page) {
    int begin = page.indexOf(TITLE + "\n");
    int end = page.indexOf("\n## ", begin + TITLE.length());
    return page.substring(0, begin < 0 ? page.length() : begin)
        + section()
        + (begin < 0 || end < 0 ? "" : page.substring(end));
  }

  private String section() {
    StringBuilder text = new StringBuilder();
    String[] head = {
      TITLE,
      "",
      "    " + COMMAND,
      "",
      "measures " + results.size() + " random training laws and writes this section:",
      "5 to 300 s per unit, start-up of 5 to 60 s, spread of trials up to 10 %, of units up to 15"
          + " %, of instances up to 8 %,",
      "on one, two or four instances of four GPUs. The attempts are those of a profiling run that"
          + " [chooses what it measures](#what-is-measured);",
      "their times are drawn as [model.md](model.md) states."
          + " With one instance, instances do not differ, because nothing could show it.",
      "",
      "| number | intervals of 95 % | that contain the truth |",
      "|---|---|---|"
    };
    Arrays.stream(head).forEach(line -> text.append(line).append('\n'));
    coverage()
        .forEach(
            (name, one) ->
                text.append(
                    "| `%s` | %d | %s |%n".formatted(name, one.all(), percent(one.share()))));
    text.append("| all | | %s |%n%n".formatted(percent(totalCoverage())));
    text.append(
        "The planner then plans successive halving of 256 trials with each profile. *Every count*"
            + " is the earlier design:\n"
            + "all counts are measured once, on as many instances as the job may use.\n\n");
    text.append(
        "| measurements | mean error of predicted completion | 95 % of errors below"
            + " | cost of measuring, of the job | cost of the plan above the best |\n");
    text.append("|---|---|---|---|---|\n");
    text.append(row("chosen measurements", LawResult::chosen));
    text.append(row("every count", LawResult::every));
    text.append(row("every count, earlier estimators", LawResult::earlier));
    return text.toString();
  }

  private String row(String name, Function<LawResult, LawResult.Measured> profile) {
    return "| %s | %s | %s | %s | %s |%n"
        .formatted(
            name,
            percent(mean(result -> profile.apply(result).error())),
            percent(p95(result -> profile.apply(result).error())),
            percent(mean(result -> profile.apply(result).costShare())),
            percent(mean(result -> profile.apply(result).excess())));
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }
}
