package io.elastune.cli.text;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.RankCorrelation;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Text for the trials and tasks of an asynchronous search, which are partly unknown at plan time.
 */
public final class RungTasksLine {
  private static final String IN_RUNGS = " between the results of a trial in two rungs";
  private static final String UNKNOWN = "–";

  /** The least mean number of tasks without a decimal. */
  private static final double LARGE = 100;

  private RungTasksLine() {}

  /** Returns the number of trials of a group; which are promoted is unknown before the run. */
  public static String trials(String group, int trials) {
    return group.equals(Workload.CLOSING) || isUnlimited(group, trials)
        ? UNKNOWN
        : String.valueOf(trials);
  }

  /** Whether other limits than a number of trials end the search. */
  public static boolean isUnlimited(String group, int trials) {
    return group.equals(Workload.OPEN) && trials >= RungRule.UNLIMITED;
  }

  /**
   * Returns the units of a group; tasks of all rungs run in the phases of an asynchronous search.
   */
  public static String units(String group, int units) {
    return group.equals(Workload.CLOSING) || group.equals(Workload.OPEN)
        ? UNKNOWN
        : String.valueOf(units);
  }

  /**
   * Returns the expected tasks of each rung, and what is assumed about the order of the trials.
   *
   * @param tasks the predicted tasks of each rung
   */
  static List<String> notes(
      Problem problem, RankModel ranks, List<Distribution> tasks, String units) {
    List<String> notes = new ArrayList<>();
    brackets(problem.workload().rungs().orElseThrow(), units).ifPresent(notes::add);
    notes.add(of(problem, tasks, units));
    notes.add(assumption(problem, ranks));
    return notes;
  }

  private static String assumption(Problem problem, RankModel ranks) {
    return ranks.curves().isPresent()
        ? "uses the results of the learning curves"
        : switch (ranks.order()) {
          case FIRST_BEST -> "assumes that the first trials are the best ones";
          case LAST_BEST -> "assumes that the last trials are the best ones";
          case SAMPLED ->
              problem
                  .rankCorrelation()
                  .map(RungTasksLine::measured)
                  .orElse("~ assumes a rank correlation of " + ranks.correlation() + IN_RUNGS);
        };
  }

  private static String measured(RankCorrelation correlation) {
    return String.format(
        Locale.ROOT,
        "uses the measured rank correlation of %.2f ± %.2f%s (%d trials)",
        correlation.value(),
        correlation.standardError(),
        IN_RUNGS,
        correlation.trials());
  }

  /** Returns how many new trials each bracket has; empty for a single one. */
  private static Optional<String> brackets(RungRule rule, String units) {
    if (rule.brackets() == 1) {
      return Optional.empty();
    }
    List<Integer> trials = rule.newTrials();
    return Optional.of(
        "asynchronous Hyperband: "
            + IntStream.range(0, trials.size())
                .mapToObj(
                    bracket ->
                        "%s to %s %d"
                            .formatted(
                                newTrials(rule, trials.get(bracket)), units, rule.target(bracket)))
                .collect(Collectors.joining(" · ")));
  }

  private static String newTrials(RungRule rule, int trials) {
    return rule.limitsTrials()
        ? Plural.counted(trials, "new trial")
        : Math.round(100.0 * trials / rule.trials()) + " % of new trials";
  }

  /** Whether all trials start, so that their number is exact. */
  private static boolean startsAll(RungRule rule) {
    return rule.limitsTrials() && rule.time().isEmpty() && rule.trained().isEmpty();
  }

  private static String of(Problem problem, List<Distribution> tasks, String units) {
    RungRule rule = problem.workload().rungs().orElseThrow();
    boolean isExact = startsAll(rule) && problem.hyperSched().isEmpty();
    return "expected tasks: "
        + IntStream.range(0, tasks.size())
            .mapToObj(
                rung ->
                    String.format(
                        Locale.ROOT,
                        "%s to %s %d",
                        number(tasks.get(rung).mean(), rung == 0 && isExact),
                        units,
                        rule.target(rung)))
            .collect(Collectors.joining(" · "));
  }

  /** Returns a mean number of tasks, with a decimal if it is small and not exact. */
  static String number(double mean, boolean isExact) {
    String pattern = isExact ? "%,.0f" : mean < LARGE ? "~%.1f" : "~%,.0f";
    return String.format(Locale.ROOT, pattern, mean);
  }
}
