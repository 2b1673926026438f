package io.elastune.cli.text;

import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.PlanFigures;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.LimitViolation;
import io.elastune.planner.api.LimitViolation.Limit;
import io.elastune.planner.api.PlanResult;
import io.elastune.simulator.sample.SamplingProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Renders why no plan is feasible, and which limits would be. */
public final class InfeasibleScreen {
  private final Inputs inputs;
  private final Instant now;
  private final OptionalInt trials;

  public InfeasibleScreen(Inputs inputs, Instant now) {
    this(inputs, now, OptionalInt.empty());
  }

  /**
   * Creates the screen.
   *
   * @param trials the most trials that meet the limits, if known
   */
  public InfeasibleScreen(Inputs inputs, Instant now, OptionalInt trials) {
    this.trials = trials;
    this.inputs = inputs;
    this.now = now;
  }

  /**
   * Returns the screen if no plan meets the limits of {@code problem}.
   *
   * @param progress receives how many samples were drawn of all that the notes take
   */
  public List<String> lines(
      Problem problem, PlanResult.Infeasible result, SamplingProgress progress) {
    List<FrontierPoint> frontier = result.frontier();
    String mark = mark(problem, frontier);
    List<String> lines = new ArrayList<>();
    lines.add(ProvenanceLine.line(title(), inputs, now));
    result
        .violated()
        .forEach(
            limitViolation ->
                lines.add(
                    " "
                        + violated(limitViolation, problem.limits(), mark)
                        + withTheOther(result, limitViolation)));
    if (!hasPassed(problem.limits()) || fails(result, Limit.BUDGET)) {
      lines.add(" " + why(problem.limits(), result));
    }
    ends(frontier, mark).forEach(line -> lines.add(" " + line));
    lines.add(" " + nearest(result, mark));
    if (fails(result, Limit.DEADLINE)) {
      UnmeasuredCounts.lines(problem).forEach(line -> lines.add(" " + line));
    }
    frontier.stream()
        .findFirst()
        .map(fastest -> notes(problem, fastest.plan(), result).lines(progress))
        .orElseGet(inputs::remarks)
        .forEach(remark -> lines.add(" " + remark));
    result.remarks().forEach(remark -> lines.add(" " + remark));
    suggestion(result).forEach(line -> lines.add(" " + line));
    return lines;
  }

  private PlanNotes notes(Problem problem, Plan plan, PlanResult.Infeasible result) {
    PlanFigures figures = new PlanFigures(problem, plan, result.samples());
    return new PlanNotes(inputs, problem, plan, figures);
  }

  /** Returns the time–cost frontier. */
  public FrontierTable frontier(Problem problem, PlanResult.Infeasible result) {
    return FrontierTable.of(problem, mark(problem, result.frontier()), result.frontier());
  }

  private String mark(Problem problem, List<FrontierPoint> frontier) {
    return new AssumedNumbers(inputs, problem).mark(frontier.stream().map(FrontierPoint::plan));
  }

  /** Returns the screen if no offer can run one of the groups. */
  public List<String> lines(PlanResult.Impossible result) {
    List<String> lines = new ArrayList<>();
    lines.add(ProvenanceLine.line(title(), inputs, now));
    result.reason().lines().forEach(line -> lines.add(" " + line));
    inputs.remarks().forEach(remark -> lines.add(" " + remark));
    return lines;
  }

  /** Returns what cannot be planned. */
  public String title() {
    return "No plan for " + inputs.job().value().name();
  }

  /** Returns where the numbers come from. */
  public List<String> sources() {
    return ProvenanceLine.sources(inputs, now);
  }

  private static String violated(LimitViolation limitViolation, Limits limits, String mark) {
    return switch (limitViolation.limit()) {
      case DEADLINE ->
          hasPassed(limits)
              ? "the deadline has already passed"
              : Durations.format(limits.deadlineS().orElse(0))
                  + " deadline is "
                  + mark
                  + RoundUpFormat.seconds(limitViolation.increase())
                  + " too short";
      case BUDGET ->
          UsdFormat.format(limits.budgetUsd().orElse(0))
              + " budget is "
              + mark
              + RoundUpFormat.usd(limitViolation.increase())
              + " too low";
    };
  }

  private static boolean hasPassed(Limits limits) {
    return limits.deadlineS().isPresent() && limits.deadlineS().getAsDouble() <= 0;
  }

  /** If each limit can be met alone, the amount by which one fails depends on the other. */
  private static String withTheOther(PlanResult.Infeasible result, LimitViolation limitViolation) {
    if (result.violated().size() < 2 || result.nearest().together()) {
      return "";
    }
    return limitViolation.limit() == Limit.DEADLINE
        ? " if the budget is met"
        : " if the deadline is met";
  }

  /** Returns which limits must be relaxed. */
  private static String why(Limits limits, PlanResult.Infeasible result) {
    boolean both = limits.deadlineS().isPresent() && limits.budgetUsd().isPresent();
    boolean late = fails(result, Limit.DEADLINE);
    boolean dear = fails(result, Limit.BUDGET);
    if (late && dear) {
      return result.nearest().together()
          ? "no plan meets either limit; relax both"
          : "each limit can be met alone, but not both; relax one of them";
    }
    String why =
        late
            ? "no plan meets this deadline at any cost " + otherLimits(limits)
            : "no plan fits this budget, even with more time";
    return !both
        ? why
        : why + (late ? "; the budget is not the problem" : "; the deadline is not the problem");
  }

  /** Returns the other limits that keep plans from being faster. */
  private static String otherLimits(Limits limits) {
    int most = limits.maxInstances();
    return "with at most "
        + most
        + (most == 1 ? " instance" : " instances")
        + (Double.isInfinite(limits.maxUsdPerHour())
            ? ""
            : " and at most " + UsdFormat.format(limits.maxUsdPerHour()) + " per hour")
        + withinQuotas(limits);
  }

  /** A limit that leaves the number of instances as it is is no reason. */
  private static String withinQuotas(Limits limits) {
    List<Quota> tight =
        limits.quotas().stream()
            .filter(
                quota ->
                    quota.uses().keySet().stream()
                        .anyMatch(offer -> quota.maxInstances(offer) < limits.maxInstances()))
            .toList();
    List<String> parts = new ArrayList<>();
    tight.stream()
        .filter(Quota::isOfThisMachine)
        .map(
            quota ->
                "the "
                    + quota.amount(quota.limit())
                    + (quota.isMemory() ? " of memory" : "")
                    + " of this machine")
        .forEach(parts::add);
    if (tight.stream().anyMatch(quota -> !quota.isOfThisMachine())) {
      parts.add("the quotas");
    }
    return parts.isEmpty() ? "" : ", within " + String.join(" and ", parts);
  }

  private static boolean fails(PlanResult.Infeasible result, Limit limit) {
    return result.violated().stream().anyMatch(limitViolation -> limitViolation.limit() == limit);
  }

  /** Returns the mean time and cost of the fastest and of the cheapest plan. */
  private static List<String> ends(List<FrontierPoint> frontier, String mark) {
    if (frontier.isEmpty()) {
      return List.of();
    }
    FrontierPoint fastest = frontier.get(0);
    FrontierPoint cheapest = frontier.get(frontier.size() - 1);
    return List.of(
        "fastest plan: %s for %s · cheapest plan: %s in %s (means)"
            .formatted(
                mark + Durations.format(fastest.completionS()),
                mark + UsdFormat.format(fastest.costUsd()),
                mark + UsdFormat.format(cheapest.costUsd()),
                mark + Durations.format(cheapest.completionS())));
  }

  private String nearest(PlanResult.Infeasible result, String mark) {
    PlanResult.Nearest nearest = result.nearest();
    List<String> limits = new ArrayList<>();
    nearest
        .deadlineS()
        .ifPresent(
            s ->
                limits.add(
                    "deadline "
                        + (fails(result, Limit.DEADLINE) ? mark : "")
                        + RoundUpFormat.seconds(s)));
    nearest
        .budgetUsd()
        .ifPresent(
            usd ->
                limits.add(
                    "budget "
                        + (fails(result, Limit.BUDGET) ? mark : "")
                        + RoundUpFormat.usd(usd)));
    if (limits.isEmpty()) {
      return "no limits were found that can be met";
    }
    return "nearest limits that can be met with "
        + PercentFormat.share(inputs.job().value().confidence())
        + " probability: "
        + String.join(nearest.together() ? " together with " : ", or ", limits);
  }

  /** Returns the options to add: only for limits that must be relaxed. */
  private List<String> suggestion(PlanResult.Infeasible result) {
    List<String> options = new ArrayList<>();
    if (fails(result, Limit.DEADLINE)) {
      result
          .nearest()
          .deadlineS()
          .ifPresent(seconds -> options.add("--deadline " + RoundUpFormat.seconds(seconds)));
    }
    if (fails(result, Limit.BUDGET)) {
      result
          .nearest()
          .budgetUsd()
          .ifPresent(usd -> options.add("--budget " + RoundUpFormat.plainUsd(usd)));
    }
    List<String> ways = new ArrayList<>();
    if (!options.isEmpty()) {
      ways.add(String.join(result.nearest().together() ? " " : ", or ", options));
    }
    trials.ifPresent(most -> ways.add("--trials " + most));
    return ways.isEmpty() ? List.of() : List.of("try: " + String.join(", or ", ways));
  }
}
