package io.elastune.cli.text;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Brackets;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.time.Durations;
import io.elastune.inputs.Alternatives;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.PlanSelection;
import io.elastune.inputs.PreferredPlan;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.simulator.sample.SamplingProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Renders a plan for confirmation: its allocations, completion time, cost and alternatives. */
public final class PlanScreen {
  /** A bound with a larger gap is shown as a time or a cost, not as a percentage. */
  private static final double LOOSE = 0.5;

  private final FoundPlan answer;
  private final Instant now;
  private final boolean verbose;

  /**
   * Creates a screen.
   *
   * @param verbose whether to show bounds, and what is only of interest with them
   */
  public PlanScreen(FoundPlan answer, Instant now, boolean verbose) {
    this.answer = answer;
    this.now = now;
    this.verbose = verbose;
  }

  /**
   * Returns the screen, without the prompt.
   *
   * @param withFrontier whether to list the time–cost frontier too
   * @param progress receives how many samples were drawn of all that the notes take
   */
  public List<String> lines(boolean withFrontier, SamplingProgress progress) {
    return lines(withFrontier, notes(progress));
  }

  /** Returns the screen with these notes. */
  public List<String> lines(boolean withFrontier, List<String> notes) {
    List<String> lines =
        new ArrayList<>(List.of(ProvenanceLine.line(title(), answer.inputs(), now)));
    lines.addAll(block().lines());
    notes.forEach(line -> lines.add(" " + line));
    if (withFrontier) {
      lines.addAll(frontier().lines());
    }
    return lines;
  }

  /** Returns what is planned. */
  public String title() {
    return "Plan for " + answer.inputs().job().value().name();
  }

  /** Returns where the numbers come from. */
  public List<String> sources() {
    return ProvenanceLine.sources(answer.inputs(), now);
  }

  /** Returns the table of the groups. */
  public TextTable groups() {
    return block().table();
  }

  /** Returns completion time, cost and limits. */
  public List<String> totals() {
    return block().totals();
  }

  /** Returns the time–cost frontier. */
  public FrontierTable frontier() {
    return FrontierTable.of(answer, mark());
  }

  private EstimateBlock block() {
    return new EstimateBlock(
        answer.inputs(),
        answer.problem(),
        answer.found().plan(),
        answer.found().estimate(),
        answer.figures());
  }

  /**
   * Returns what is noteworthy about the plan, and how it was chosen.
   *
   * @param progress receives how many samples were drawn of all that the notes take
   */
  public List<String> notes(SamplingProgress progress) {
    PlanResult.Found found = answer.found();
    List<String> lines = new ArrayList<>();
    comparison().ifPresent(lines::add);
    new PlanNotes(answer.inputs(), answer.problem(), found.plan(), answer.figures(), verbose)
        .lines(progress).stream()
            .filter(line -> verbose || !line.startsWith(Inputs.LEARNED_PROVISIONING))
            .forEach(lines::add);
    new BracketNote(answer).line().ifPresent(lines::add);
    found.remarks().stream().filter(remark -> verbose || !isProof(remark)).forEach(lines::add);
    alternatives().ifPresent(lines::add);
    answer.otherKnee().ifPresent(point -> lines.add(knee(point)));
    lines.add(new SelectionNote(answer).line());
    return lines;
  }

  private Optional<String> comparison() {
    List<String> parts = new ArrayList<>();
    answer.found().baselines().stream()
        .filter(baseline -> baseline.name().equals("static"))
        .findFirst()
        .map(this::staticCluster)
        .ifPresent(parts::add);
    onSameCluster("policy", ListOptions.DEFAULT.word()).ifPresent(parts::add);
    onSameCluster("brackets", Brackets.SEQUENTIAL.word()).ifPresent(parts::add);
    Optimum optimum = answer.found().optimum();
    if (verbose || (!isGuide(optimum) && isBestOfItsKind())) {
      parts.add(optimum(optimum));
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(" · ", parts));
  }

  /** Whether the plan was chosen by what the planner minimizes, of which it has a bound. */
  private boolean isBestOfItsKind() {
    PlanSelection selection = answer.selection();
    return selection.instead().isEmpty()
        && PreferredPlan.isThatOfThePlanner(selection.preference(), hasDeadline());
  }

  /** What the search would need on the same fixed cluster with another value of a field. */
  private Optional<String> onSameCluster(String field, String value) {
    return answer.found().baselines().stream()
        .filter(baseline -> baseline.name().equals(value))
        .findFirst()
        .map(
            other ->
                "%s: %s %s for %s"
                    .formatted(field, value, time(other.completionS()), money(other.costUsd())));
  }

  private String staticCluster(Baseline baseline) {
    if (!baseline.feasible()) {
      return "no static cluster meets the limits";
    }
    return "best static cluster "
        + (hasDeadline()
            ? money(baseline.costUsd())
            : time(baseline.completionS())
                + " for "
                + money(baseline.costUsd())
                + " (the fastest, without a deadline)");
  }

  /**
   * Returns the mark for numbers that depend on assumed values; it also applies to alternatives.
   */
  private String mark() {
    return answer.assumed().mark(Stream.of(answer.found().plan()));
  }

  private String time(double seconds) {
    return mark() + Durations.format(seconds);
  }

  private String money(double usd) {
    return mark() + UsdFormat.format(usd);
  }

  private boolean hasDeadline() {
    return answer.problem().limits().deadlineS().isPresent();
  }

  /** Whether a remark is about a proof, and there is nothing the user can do for it. */
  private static boolean isProof(String remark) {
    return remark.startsWith(PlanResult.NOT_PROVEN) && !remark.equals(PlanResult.CUT_SHORT);
  }

  /** Whether the bound is that of a job without spread, which is no statement about this one. */
  private boolean isGuide(Optimum optimum) {
    return optimum.guide() && (optimum.gap() <= LOOSE || hasDeadline());
  }

  private String optimum(Optimum optimum) {
    if (optimum.gap() > LOOSE && !(hasDeadline() && optimum.guide())) {
      Estimate estimate = answer.found().estimate();
      double ratio = 1 + optimum.gap();
      return hasDeadline()
          ? "no plan costs less than " + money(estimate.costUsd().mean() / ratio)
          : "no plan finishes in less than " + time(estimate.completionS().mean() / ratio);
    }
    if (optimum.gap() == 0 && !optimum.guide()) {
      return optimum.proven() ? "this plan is optimal" : "no better plan was found";
    }
    String verb = hasDeadline() ? "costs " : "takes ";
    String more = hasDeadline() ? " more" : " longer";
    String gap = PercentFormat.gap(optimum.gap()) + more + " than the optimum";
    return optimum.guide()
        ? "within "
            + PercentFormat.gap(optimum.gap())
            + " of the optimum without spread; lower bound "
            + money(optimum.boundUsd())
        : "this plan " + verb + "at most " + gap;
  }

  private String knee(FrontierPoint point) {
    double seconds = answer.found().estimate().completionS().mean();
    double usd = answer.found().estimate().costUsd().mean();
    String change =
        point.completionS() < seconds
            ? PercentFormat.share(1 - point.completionS() / seconds)
                + " less time for "
                + money(Math.max(0, point.costUsd() - usd))
                + " more"
            : PercentFormat.share(1 - point.costUsd() / usd)
                + " less money for "
                + time(Math.max(0, point.completionS() - seconds))
                + " more";
    return "knee: %s for %s, %s (--choice knee)"
        .formatted(time(point.completionS()), money(point.costUsd()), change);
  }

  private Optional<String> alternatives() {
    Alternatives others = answer.alternatives();
    List<String> parts = new ArrayList<>();
    others
        .cheaper()
        .map(
            other ->
                "cheaper: "
                    + money(other.costUsd())
                    + " if the deadline were "
                    + mark()
                    + RoundUpFormat.seconds(other.seconds()))
        .ifPresent(parts::add);
    others
        .faster()
        .filter(other -> !isKnee(other))
        .map(other -> "faster: " + time(other.seconds()) + " for " + money(other.costUsd()))
        .ifPresent(parts::add);
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("   ", parts));
  }

  private boolean isKnee(Alternatives.Alternative other) {
    return answer.otherKnee().filter(knee -> knee.completionS() == other.seconds()).isPresent();
  }
}
