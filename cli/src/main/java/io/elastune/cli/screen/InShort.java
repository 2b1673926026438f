package io.elastune.cli.screen;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.stream.Collectors;

/** A plan in one line. */
final class InShort {
  private InShort() {}

  /** Instances × GPUs per trial, group by group: {@code 4×1 2×1 2×2 2×4}; held if held. */
  static String plan(Problem problem, Plan plan) {
    String groups =
        problem.workload().groups().stream()
            .map(group -> group(plan.of(group)))
            .collect(Collectors.joining(" "));
    return plan.hold() ? groups + ", held to the end" : groups;
  }

  private static String group(Allocation allocation) {
    String share = allocation.trialsPerGpu() == 1 ? "" : "/" + allocation.trialsPerGpu();
    return allocation.instances() + "×" + allocation.gpusPerTrial() + share;
  }
}
