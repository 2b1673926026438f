package io.elastune.core.allocation;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The number of instances that a plan requests and keeps at each barrier of a chain (docs/model.md,
 * "Time" and "Money"). These numbers do not depend on sampling; which instances are kept does.
 *
 * @param requested instances requested when the group starts: those that it needs less those
 *     already held of its offer
 * @param kept instances that the next group takes over; 0 after the last group
 */
public record GroupHolding(int requested, int kept) {
  /**
   * Returns one holding per group of {@code chain}.
   *
   * @throws IllegalArgumentException if the plan has no allocation for a group of the chain
   */
  public static List<GroupHolding> of(Chain chain, Plan plan) {
    List<Allocation> allocations = chain.groups().stream().map(plan::of).toList();
    List<GroupHolding> groupHoldings = new ArrayList<>();
    int held = 0;
    for (int i = 0; i < allocations.size(); i++) {
      Allocation now = allocations.get(i);
      int kept = i + 1 < allocations.size() ? kept(now, allocations.get(i + 1)) : 0;
      groupHoldings.add(new GroupHolding(now.instances() - held, kept));
      held = kept;
    }
    return List.copyOf(groupHoldings);
  }

  private static int kept(Allocation now, Allocation next) {
    return next.offer().equals(now.offer()) ? Math.min(now.instances(), next.instances()) : 0;
  }

  /**
   * Returns the maximum that {@code chain} holds at any time, with each instance weighted by its
   * allocation: 1 to count instances, the price for USD per hour. A surplus instance is not used
   * again, so a plan that releases nothing holds every instance that it requested.
   */
  public static double maximum(Chain chain, Plan plan, ToDoubleFunction<Allocation> weight) {
    List<GroupHolding> groupHoldings = of(chain, plan);
    double most = 0;
    double all = 0;
    for (int i = 0; i < groupHoldings.size(); i++) {
      Allocation now = plan.of(chain.groups().get(i));
      double each = weight.applyAsDouble(now);
      all += groupHoldings.get(i).requested() * each;
      most = Math.max(most, now.instances() * each);
    }
    return plan.hold() ? all : most;
  }
}
