package io.elastune.cli.text;

import io.elastune.core.job.CheckpointPolicy;
import io.elastune.core.job.Resources;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import io.elastune.inputs.SpotComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Lists what a prediction excludes, and what spot capacity saves and risks. */
public final class ExclusionNotes {
  private final Inputs inputs;
  private final Problem problem;
  private final List<Offer> used;
  private final Function<NoteSampling, Optional<SpotComparison>> spot;

  public ExclusionNotes(Inputs inputs, Problem problem, Plan plan) {
    this(inputs, problem, plan, new PlanFigures(problem, plan)::spot);
  }

  /** Creates notes with a comparison of markets that others use, too. */
  ExclusionNotes(
      Inputs inputs,
      Problem problem,
      Plan plan,
      Function<NoteSampling, Optional<SpotComparison>> spot) {
    this.spot = spot;
    this.inputs = inputs;
    this.problem = problem;
    this.used =
        plan.allocations().values().stream()
            .map(Allocation::offer)
            .distinct()
            .flatMap(name -> problem.offer(name).stream())
            .toList();
  }

  /** Returns one note per line, for a comparison of plans. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    waiting().ifPresent(lines::add);
    lines.add(excluded());
    lines.addAll(spot(NoteSampling.silent()));
    return lines;
  }

  /** Returns the offers of the plan. */
  List<Offer> used() {
    return used;
  }

  Optional<String> waiting() {
    return inputs
        .job()
        .value()
        .resources()
        .waitForCapacity()
        .filter(limit -> used.stream().anyMatch(ExclusionNotes::isRented))
        .map(
            limit ->
                "not included: up to "
                    + Durations.format(limit)
                    + " of waiting for capacity (resources.wait_for_capacity)");
  }

  String excluded() {
    return "not included: " + String.join(", ", notIncluded());
  }

  List<String> spot(NoteSampling sampling) {
    List<String> lines = new ArrayList<>();
    boolean hasDeadline = problem.limits().deadlineS().isPresent();
    spot.apply(sampling)
        .map(comparison -> SpotNote.line(comparison, hasDeadline))
        .ifPresent(lines::add);
    if (used.stream()
        .anyMatch(
            offer -> offer.market() == Market.SPOT && offer.faults().preemptions().value() == 0)) {
      lines.add("spot: the estimate excludes interruptions");
    }
    return lines;
  }

  static boolean isRented(Offer offer) {
    return offer.price() == PriceKind.LIST;
  }

  private List<String> notIncluded() {
    Resources resources = inputs.job().value().resources();
    List<String> left = new ArrayList<>(List.of("egress"));
    if (used.stream().anyMatch(ExclusionNotes::isRented)) {
      left.addAll(List.of("NAT", "cross-zone traffic"));
    }
    if (used.stream().anyMatch(offer -> isRented(offer) && offer.diskUsdPerHour() == 0)) {
      left.addAll(List.of("root disks", "public addresses"));
    }
    left.add("taxes");
    if (resources.discount() == 0) {
      left.add("discounts");
    }
    if (resources.controllerUsdPerHour() == 0) {
      left.add("controller machine");
    }
    CheckpointPolicy checkpointPolicy = inputs.job().value().trial().checkpoints();
    if (checkpointPolicy.usdPerHour(1) > 0) {
      left.add("checkpoints stored after the run");
    } else {
      checkpointPolicy.store().ifPresent(store -> left.add("checkpoint storage in " + store));
    }
    return left;
  }
}
