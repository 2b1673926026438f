package io.elastune.cli.screen;

import io.elastune.cli.wiring.Alternatives;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.PlanAnswer;
import io.elastune.core.time.Durations;
import io.elastune.planner.Baseline;
import io.elastune.planner.Optimum;
import io.elastune.planner.PlanResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A plan before it is approved: what it holds, when it ends, what it costs, what else there is. */
public final class PlanScreen {
  /** A bound on the time that is further away says more as a time. */
  private static final double LOOSE = 0.5;

  private final PlanAnswer answer;
  private final Instant now;

  public PlanScreen(PlanAnswer answer, Instant now) {
    this.answer = answer;
    this.now = now;
  }

  /**
   * The screen, without the question.
   *
   * @param withFrontier whether to list all other choices too
   */
  public List<String> lines(boolean withFrontier) {
    Inputs inputs = answer.inputs();
    PlanResult.Found found = answer.found();
    List<String> lines = new ArrayList<>();
    lines.add(Provenance.line("Plan for " + inputs.job().value().name(), inputs, now));
    lines.addAll(
        new EstimateBlock(inputs, answer.problem(), found.plan(), found.estimate()).lines());
    lines.add(" " + comparison());
    new Remarks(inputs, answer.problem(), found.plan())
        .lines()
        .forEach(line -> lines.add(" " + line));
    found.remarks().forEach(remark -> lines.add(" " + remark));
    alternatives().ifPresent(line -> lines.add(" " + line));
    if (withFrontier) {
      lines.addAll(
          new FrontierTable(answer.problem(), mark())
              .lines(found.frontier(), Optional.of(found.plan())));
    }
    return lines;
  }

  private String comparison() {
    List<String> parts = new ArrayList<>();
    answer.found().baselines().stream()
        .filter(baseline -> baseline.name().equals("static"))
        .findFirst()
        .map(this::staticCluster)
        .ifPresent(parts::add);
    parts.add(optimum(answer.found().optimum()));
    return String.join(" · ", parts);
  }

  private String staticCluster(Baseline baseline) {
    if (!baseline.feasible()) {
      return "no static cluster keeps the limits";
    }
    String time = hasDeadline() ? "" : time(baseline.completionS()) + " for ";
    return "best static cluster " + time + money(baseline.costUsd());
  }

  /** What rests on assumed numbers is marked, other choices too. */
  private String mark() {
    return answer.assumed().mark(Stream.of(answer.found().plan()));
  }

  private String time(double seconds) {
    return mark() + Durations.format(seconds);
  }

  private String money(double usd) {
    return mark() + Usd.format(usd);
  }

  private boolean hasDeadline() {
    return answer.problem().limits().deadlineS().isPresent();
  }

  private String optimum(Optimum optimum) {
    if (!hasDeadline() && optimum.gap() > LOOSE) {
      double seconds = answer.found().estimate().completionS().mean() / (1 + optimum.gap());
      return "no plan is done in less than " + time(seconds);
    }
    boolean even = optimum.gap() == 0;
    String than = hasDeadline() ? " above " : " slower than ";
    String gap = (even ? "" : Percent.gap(optimum.gap()) + than) + "the best possible";
    if (optimum.guide()) {
      return "about "
          + gap
          + " without spread; no plan costs less than "
          + money(optimum.boundUsd());
    }
    if (even) {
      return optimum.proven() ? gap : "nothing better was found";
    }
    return "at most " + gap;
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
                    + RoundedUp.seconds(other.seconds()))
        .ifPresent(parts::add);
    others
        .faster()
        .map(other -> "faster: " + time(other.seconds()) + " for " + money(other.costUsd()))
        .ifPresent(parts::add);
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("   ", parts));
  }
}
