package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Checks whether a problem allows a plan: legal sizes (docs/model.md, "Time") and the user's limits
 * on size, number and price. A plan with a fault is refused, never repaired.
 */
public final class PlanRules {
  /** Relative tolerance for rounding errors in sums of prices. */
  private static final double ROUNDING = 1e-9;

  private PlanRules() {}

  /** Returns all faults of {@code plan}; empty if it can be executed. */
  public static List<PlanFault> faults(Problem problem, Plan plan) {
    List<PlanFault> faults = new ArrayList<>();
    boolean complete = true;
    for (TrialGroup group : problem.workload().groups()) {
      Allocation allocation = plan.allocations().get(group.name());
      if (allocation == null) {
        complete = false;
        faults.add(new PlanFault(group.name(), "group", "has no allocation in the plan; add one"));
      } else {
        new GroupRules(
                problem,
                (field, message) -> faults.add(new PlanFault(group.name(), field, message)))
            .check(allocation);
      }
    }
    addUnknownGroups(problem.workload(), plan, faults);
    addUselessSpares(problem, plan, faults);
    if (complete) {
      if (problem.workload().rungs().isPresent()) {
        new RungPlanRules(problem, faults::add).check(plan);
      }
      if (plan.shared()) {
        new PoolPlanRules(problem, faults::add).check(plan);
      }
      problem
          .cluster()
          .ifPresent(cluster -> new FixedClusterRules(problem, cluster, faults::add).check(plan));
      addBrokenLimits(problem, plan, faults);
      addBrokenQuotas(problem, plan, faults);
    }
    return faults;
  }

  /**
   * Checks that {@code plan} has no faults.
   *
   * @throws IllegalPlanException with all faults
   */
  public static void check(Problem problem, Plan plan) {
    List<PlanFault> faults = faults(problem, plan);
    if (!faults.isEmpty()) {
      throw new IllegalPlanException(faults);
    }
  }

  /** Spare instances are defined for groups that release what they do not need. */
  private static void addUselessSpares(Problem problem, Plan plan, List<PlanFault> faults) {
    boolean releases =
        !plan.hold()
            && !plan.shared()
            && problem.workload().rungs().isEmpty()
            && problem.cluster().isEmpty();
    plan.allocations()
        .forEach(
            (group, allocation) -> {
              if (allocation.spare() > 0 && !releases) {
                faults.add(
                    new PlanFault(
                        group,
                        "spare",
                        "has no meaning in a plan with hold, shared brackets, an asynchronous"
                            + " search or a fixed cluster; omit it"));
              }
            });
  }

  private static void addUnknownGroups(Workload workload, Plan plan, List<PlanFault> faults) {
    List<String> known = workload.groups().stream().map(TrialGroup::name).toList();
    for (String name : plan.allocations().keySet()) {
      if (!known.contains(name)) {
        faults.add(
            new PlanFault(
                name,
                "group",
                "the job has no such group; its groups are "
                    + String.join(", ", known)
                    + "; remove it from the plan"));
      }
    }
  }

  private static void addBrokenLimits(Problem problem, Plan plan, List<PlanFault> faults) {
    Limits limits = problem.limits();
    double instances = most(problem, plan, allocation -> 1);
    boolean groupAloneHasTooMany =
        plan.allocations().values().stream()
            .anyMatch(allocation -> allocation.instances() > limits.maxInstances());
    if (instances > limits.maxInstances() && !groupAloneHasTooMany) {
      faults.add(
          new PlanFault(
              "",
              "max_instances",
              String.format(
                  Locale.ROOT,
                  "the plan holds up to %.0f instances at once%s, more than the %d allowed; use"
                      + " fewer, or raise max_instances",
                  instances,
                  summed(problem.workload(), plan),
                  limits.maxInstances())));
    }
    double usdPerHour = most(problem, plan, allocation -> price(problem, allocation));
    if (usdPerHour > limits.maxUsdPerHour() * (1 + ROUNDING)) {
      faults.add(
          new PlanFault(
              "",
              "max_hourly_usd",
              String.format(
                  Locale.ROOT,
                  "the plan holds instances for up to %.4f USD/h at once%s, more than the %.4f"
                      + " allowed; use fewer or cheaper ones, or raise max_hourly_usd",
                  usdPerHour,
                  summed(problem.workload(), plan),
                  limits.maxUsdPerHour())));
    }
  }

  /** Returns whether a plan stays within these quotas at all times. */
  public static boolean meetsQuotas(Problem problem, Plan plan, List<Quota> quotas) {
    return quotas.stream()
        .allMatch(
            quota -> most(problem, plan, allocation -> units(quota, allocation)) <= quota.limit());
  }

  private static int units(Quota quota, Allocation allocation) {
    return quota.unitsPerInstance(allocation.offer(), allocation.trialsPerGpu());
  }

  private static void addBrokenQuotas(Problem problem, Plan plan, List<PlanFault> faults) {
    for (Quota quota : problem.limits().quotas()) {
      double held = most(problem, plan, allocation -> units(quota, allocation));
      if (held > quota.limit()) {
        faults.add(
            new PlanFault(
                "",
                "quotas",
                String.format(
                    Locale.ROOT,
                    "the plan %s up to %s at once%s, more than %s; use fewer or other"
                        + " instances%s",
                    quota.isMemory() ? "needs" : "holds",
                    quota.amount(held),
                    summed(problem.workload(), plan),
                    quota,
                    quota.isOfThisMachine()
                        ? ", or add --infra simulated, which has no such limit"
                        : ", or request a higher quota from the provider")));
      }
    }
  }

  /**
   * Returns the maximum of the plan. Chains that run concurrently on separate instances add up;
   * those that share instances hold the same ones.
   */
  private static double most(Problem problem, Plan plan, ToDoubleFunction<Allocation> weight) {
    if (plan.shared()) {
      return plan.allocations().values().stream()
          .mapToDouble(allocation -> allocation.instances() * weight.applyAsDouble(allocation))
          .max()
          .orElse(0);
    }
    return problem.workload().chains().stream()
        .mapToDouble(chain -> GroupHolding.maximum(chain, plan, weight))
        .sum();
  }

  private static double price(Problem problem, Allocation allocation) {
    return problem.offer(allocation.offer()).map(Offer::usdPerHour).orElse(0.0);
  }

  private static String summed(Workload workload, Plan plan) {
    return workload.chains().size() == 1 || plan.shared()
        ? ""
        : workload.chains().stream()
            .map(Chain::name)
            .collect(Collectors.joining(" and ", " (chains ", " together)"));
  }
}
