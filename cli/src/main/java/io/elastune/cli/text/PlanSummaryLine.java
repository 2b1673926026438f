package io.elastune.cli.text;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;

/** Renders a plan in one line. */
public final class PlanSummaryLine {
  private PlanSummaryLine() {}

  /**
   * Returns instances × GPUs per trial for each group: {@code 4×1 2×1 2×2 2×4}; with the instance
   * types if the job allows several: {@code 4×1 2×1 on g5.xlarge, 2×2 on p3.8xlarge}; with spare
   * instances apart: {@code (3+1)×1}.
   */
  public static String plan(Problem problem, Plan plan) {
    StringBuilder text = new StringBuilder();
    String offer = "";
    for (TrialGroup group : problem.workload().groups()) {
      Allocation allocation = plan.of(group);
      if (!offer.isEmpty()) {
        text.append(offer.equals(allocation.offer()) ? " " : on(problem, offer) + ", ");
      }
      offer = allocation.offer();
      text.append(group(problem, allocation));
    }
    text.append(on(problem, offer));
    text.append(plan.shared() ? ", shared by all brackets" : "");
    return plan.hold() ? text + ", held to the end" : text.toString();
  }

  private static String on(Problem problem, String offer) {
    return problem.offers().size() > 1 ? " on " + ShortOfferNames.shortest(problem, offer) : "";
  }

  private static String group(Problem problem, Allocation allocation) {
    if (problem.policy().choosesSizes()) {
      return allocation.instances() + "×" + problem.policy().word();
    }
    String share = allocation.trialsPerGpu() == 1 ? "" : "/" + allocation.trialsPerGpu();
    String instances =
        allocation.spare() == 0
            ? String.valueOf(allocation.instances())
            : "(" + allocation.working() + "+" + allocation.spare() + ")";
    return instances + "×" + allocation.gpusPerTrial() + share;
  }
}
