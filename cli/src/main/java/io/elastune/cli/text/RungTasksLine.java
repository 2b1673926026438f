package io.elastune.cli.text;

import io.elastune.core.estimate.Distribution;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Text for the trials and tasks of an asynchronous search, which are partly unknown at plan time.
 */
public final class RungTasksLine {
  private static final int SAMPLES = 1000;
  private static final String UNKNOWN = "–";

  private RungTasksLine() {}

  /** Returns the number of trials of a group; which are promoted is unknown before the run. */
  public static String trials(String group, int trials) {
    return group.equals(Workload.CLOSING) ? UNKNOWN : String.valueOf(trials);
  }

  /**
   * Returns the units of a group; tasks of all rungs run in the phases of an asynchronous search.
   */
  public static String units(String group, int units) {
    return group.equals(Workload.CLOSING) || group.equals(Workload.OPEN)
        ? UNKNOWN
        : String.valueOf(units);
  }

  /** Returns the predicted number of tasks of each rung; empty for groups with barriers. */
  public static List<Distribution> tasks(Problem problem, Plan plan) {
    IncrementalSampling sampling = new Simulator(problem, SAMPLES).sampling(plan);
    sampling.sampleUpTo(SAMPLES);
    return sampling.rungTasks();
  }

  /** Returns a line with the expected tasks of each rung. */
  static String of(Problem problem, Plan plan, String units) {
    RungRule rule = problem.workload().rungs().orElseThrow();
    List<Distribution> tasks = tasks(problem, plan);
    return "expected tasks: "
        + IntStream.range(0, tasks.size())
            .mapToObj(
                rung ->
                    String.format(
                        Locale.ROOT,
                        rung == 0 ? "%.0f to %s %d" : "~%.1f to %s %d",
                        tasks.get(rung).mean(),
                        units,
                        rule.target(rung)))
            .collect(Collectors.joining(" · "));
  }
}
