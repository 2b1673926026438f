package io.elastune.cli.screen;

import io.elastune.cli.wiring.Inputs;
import io.elastune.core.plan.Limits;
import io.elastune.core.time.Durations;
import io.elastune.planner.PlanResult;
import io.elastune.planner.Violation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Why there is no plan, and what would make one possible. */
public final class InfeasibleScreen {
  private final Inputs inputs;
  private final Instant now;

  public InfeasibleScreen(Inputs inputs, Instant now) {
    this.inputs = inputs;
    this.now = now;
  }

  /** No plan keeps the limits. */
  public List<String> lines(PlanResult.Infeasible result) {
    List<String> lines = new ArrayList<>();
    lines.add(title());
    inputs
        .problem()
        .ifPresent(
            problem ->
                result
                    .violated()
                    .forEach(violation -> lines.add(" " + violated(violation, problem.limits()))));
    lines.add(" " + nearest(result.nearest()));
    inputs.remarks().forEach(remark -> lines.add(" " + remark));
    result.remarks().forEach(remark -> lines.add(" " + remark));
    return lines;
  }

  /** Nothing that is offered can hold a group. */
  public List<String> lines(PlanResult.Impossible result) {
    List<String> lines = new ArrayList<>();
    lines.add(title());
    result.reason().lines().forEach(line -> lines.add(" " + line));
    inputs.remarks().forEach(remark -> lines.add(" " + remark));
    return lines;
  }

  private String title() {
    return Provenance.line("No plan for " + inputs.job().value().name(), inputs, now);
  }

  private static String violated(Violation violation, Limits limits) {
    return switch (violation.limit()) {
      case DEADLINE ->
          limits.deadlineS().orElse(0) <= 0
              ? "the deadline has passed already"
              : "deadline "
                  + Durations.format(limits.deadlineS().orElse(0))
                  + " fails by "
                  + RoundedUp.seconds(violation.by());
      case BUDGET ->
          "budget "
              + Usd.format(limits.budgetUsd().orElse(0))
              + " fails by "
              + RoundedUp.usd(violation.by());
    };
  }

  private String nearest(PlanResult.Nearest nearest) {
    List<String> limits = new ArrayList<>();
    nearest.deadlineS().ifPresent(seconds -> limits.add("deadline " + RoundedUp.seconds(seconds)));
    nearest.budgetUsd().ifPresent(usd -> limits.add("budget " + RoundedUp.usd(usd)));
    if (limits.isEmpty()) {
      return "no other limits were found that could be kept";
    }
    return "nearest that can be kept with "
        + Percent.share(inputs.job().value().confidence())
        + " probability: "
        + String.join(nearest.together() ? " together with " : ", or ", limits);
  }
}
