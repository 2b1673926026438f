package io.elastune.cli.text;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Says what the spot capacity of a plan saves and what it risks: compares the plan with the same
 * allocations on demand, with the same random numbers.
 */
final class SpotNote {
  private static final int SAMPLES = 4096;

  private SpotNote() {}

  /**
   * Returns one line, or nothing if the plan has no spot capacity, or if no offer has the same
   * instance type on demand.
   */
  static Optional<String> of(Problem problem, Plan plan) {
    return onDemand(problem, plan)
        .filter(other -> PlanRules.faults(problem, other).isEmpty())
        .map(
            other ->
                line(
                    problem,
                    plan,
                    new Simulator(problem, SAMPLES).simulate(plan),
                    new Simulator(problem, SAMPLES).simulate(other)));
  }

  private static String line(Problem problem, Plan plan, Estimate spot, Estimate onDemand) {
    double saved = onDemand.costUsd().mean() - spot.costUsd().mean();
    String deadline =
        problem.limits().deadlineS().isEmpty()
            ? ""
            : ", on time %s instead of %s"
                .formatted(
                    PercentFormat.probability(spot.onTime()),
                    PercentFormat.probability(onDemand.onTime()));
    return ("spot: %s %s (%s) against the same plan on demand%s;"
            + " up to %s preemptions per instance and hour")
        .formatted(
            saved >= 0 ? "saves" : "adds",
            UsdFormat.format(Math.abs(saved)),
            PercentFormat.share(Math.abs(saved) / onDemand.costUsd().mean()),
            deadline,
            String.format(Locale.ROOT, "%.2g", mostPreemptions(problem, plan)));
  }

  private static double mostPreemptions(Problem problem, Plan plan) {
    return plan.allocations().values().stream()
        .flatMap(allocation -> problem.offer(allocation.offer()).stream())
        .mapToDouble(offer -> offer.faults().preemptions().value())
        .max()
        .orElse(0);
  }

  /** The plan with the cheapest on-demand offer of each spot offer's instance type. */
  private static Optional<Plan> onDemand(Problem problem, Plan plan) {
    Map<String, Allocation> allocations = new TreeMap<>();
    List<Offer> replaced = new ArrayList<>();
    for (var entry : plan.allocations().entrySet()) {
      Allocation allocation = entry.getValue();
      Offer offer = problem.offer(allocation.offer()).orElseThrow();
      if (offer.market() == Market.SPOT) {
        Optional<Offer> other = onDemand(problem, offer);
        if (other.isEmpty()) {
          return Optional.empty();
        }
        replaced.add(offer);
        allocation =
            new Allocation(
                other.get().name(),
                allocation.instances(),
                allocation.gpusPerTrial(),
                allocation.trialsPerGpu());
      }
      allocations.put(entry.getKey(), allocation);
    }
    return replaced.isEmpty()
        ? Optional.empty()
        : Optional.of(new Plan(plan.hold(), plan.shared(), allocations));
  }

  private static Optional<Offer> onDemand(Problem problem, Offer spot) {
    return problem.offers().stream()
        .filter(offer -> offer.market() == Market.ON_DEMAND)
        .filter(offer -> offer.instanceType().equals(spot.instanceType()))
        .filter(offer -> offer.rentedProvider().equals(spot.rentedProvider()))
        .min(Comparator.comparingDouble(Offer::usdPerHour));
  }
}
