package io.elastune.inputs;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares a plan that uses spot capacity with the same allocations on demand, with the same random
 * numbers.
 *
 * @param spot the estimate of the plan
 * @param onDemand the estimate on demand
 * @param preemptionsPerHour the highest rate of preemptions per instance and hour
 */
public record SpotComparison(Estimate spot, Estimate onDemand, double preemptionsPerHour) {
  /**
   * Returns the comparison, or nothing if the plan has no spot capacity, or if no offer has the
   * same instance type on demand.
   */
  static Optional<SpotComparison> of(
      Problem problem, Plan plan, ComparedPlan compared, NoteSampling sampling) {
    return onDemandPlan(problem, plan)
        .map(
            other ->
                new SpotComparison(
                    compared.estimate(sampling),
                    compared.other(problem, other, sampling),
                    mostPreemptions(problem, plan)));
  }

  /** Returns whether there is something to compare. */
  static boolean exists(Problem problem, Plan plan) {
    return onDemandPlan(problem, plan).isPresent();
  }

  /**
   * Returns the plan with the same instances on demand; empty without spot capacity, and if the
   * problem does not allow that plan.
   */
  static Optional<Plan> onDemandPlan(Problem problem, Plan plan) {
    return onDemand(problem, plan).filter(other -> PlanRules.faults(problem, other).isEmpty());
  }

  /** Returns the mean cost in USD that spot capacity saves; negative if it costs more. */
  public double savedUsd() {
    return onDemand.costUsd().mean() - spot.costUsd().mean();
  }

  /** Returns the same as a fraction of the cost on demand. */
  public double savedShare() {
    return savedUsd() / onDemand.costUsd().mean();
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
        allocation = allocation.withOffer(other.get().name());
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
