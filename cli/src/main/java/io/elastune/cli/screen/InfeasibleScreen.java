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
    String surely = Percent.share(limits.confidence());
    return switch (violation.limit()) {
      case DEADLINE ->
          "deadline %s cannot be kept with %s probability: %s more would be needed"
              .formatted(
                  Durations.format(limits.deadlineS().orElse(0)),
                  surely,
                  RoundedUp.seconds(violation.by()));
      case BUDGET ->
          "budget %s cannot be kept with %s probability: %s more would be needed"
              .formatted(
                  Usd.format(limits.budgetUsd().orElse(0)), surely, RoundedUp.usd(violation.by()));
    };
  }

  private static String nearest(PlanResult.Nearest nearest) {
    List<String> limits = new ArrayList<>();
    nearest.deadlineS().stream()
        .mapToObj(RoundedUp::seconds)
        .map(text -> "deadline " + text)
        .forEach(limits::add);
    nearest.budgetUsd().stream()
        .mapToObj(RoundedUp::usd)
        .map(text -> "budget " + text)
        .forEach(limits::add);
    if (limits.isEmpty()) {
      return "no other limits were found that could be kept";
    }
    return "nearest that can be kept: "
        + String.join(nearest.together() ? " together with " : ", or ", limits);
  }
}
