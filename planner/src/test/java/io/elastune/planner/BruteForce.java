package io.elastune.planner;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.allocation.TrialSizes;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Enumerates the plans of a job without spread and evaluates each in the simulator. */
public final class BruteForce {
  private static final Comparator<Allocation> SMALLER =
      Comparator.comparing(Allocation::offer)
          .thenComparing(Allocation::instances)
          .thenComparing(Allocation::trialsPerGpu)
          .thenComparing(Allocation::gpusPerTrial);

  private final Problem problem;
  private final Consumer<Plan> each;
  private final List<Allocation> allocations = new ArrayList<>();

  /** A plan with its completion time and cost. */
  public record SimulatedPlan(Plan plan, double completionS, double costUsd)
      implements TimeAndCost {
    private int total() {
      return plan.allocations().values().stream().mapToInt(Allocation::instances).sum();
    }
  }

  private BruteForce(Problem problem, Consumer<Plan> each) {
    this.problem = problem;
    this.each = each;
    for (Offer offer : problem.offers()) {
      for (int count = 1; count <= problem.limits().maxInstances(); count++) {
        if (count * offer.usdPerHour() <= problem.limits().maxUsdPerHour()) {
          add(offer, count);
        }
      }
    }
  }

  /** Returns the plans that no other one dominates. */
  public static ParetoFront<SimulatedPlan> front(Problem problem) {
    Simulator simulator = new Simulator(problem, 1);
    ParetoFront<SimulatedPlan> paretoFront = new ParetoFront<>(BruteForce::smaller);
    Consumer<Plan> tryOut =
        plan -> {
          JointSamples jointSamples = simulator.sample(plan);
          paretoFront.add(
              new SimulatedPlan(plan, jointSamples.completionS()[0], jointSamples.costUsd()[0]));
        };
    new BruteForce(problem, tryOut).extend(new LinkedHashMap<>(), 0);
    return paretoFront;
  }

  /** Returns all plans. */
  public static List<Plan> plans(Problem problem) {
    List<Plan> plans = new ArrayList<>();
    new BruteForce(problem, plans::add).extend(new LinkedHashMap<>(), 0);
    return plans;
  }

  private void add(Offer offer, int count) {
    for (int gpus : TrialSizes.of(problem, offer)) {
      if (gpus <= count * offer.gpus()) {
        allocations.add(new Allocation(offer.name(), count, gpus, 1));
      }
    }
    for (int sharing : problem.profile(offer).orElseThrow().secondsBySharing().keySet()) {
      allocations.add(new Allocation(offer.name(), count, 1, sharing));
    }
  }

  private void extend(Map<String, Allocation> chosen, int group) {
    List<TrialGroup> groups = problem.workload().groups();
    if (group == groups.size()) {
      Plan plan = new Plan(false, chosen);
      if (problem.workload().chains().size() > 1 && !PlanRules.faults(problem, plan).isEmpty()) {
        return; // Together, the chains exceed a shared limit.
      }
      each.accept(plan);
      return;
    }
    for (Allocation allocation : allocations) {
      chosen.put(groups.get(group).name(), allocation);
      extend(chosen, group + 1);
    }
    chosen.remove(groups.get(group).name());
  }

  private static int smaller(SimulatedPlan a, SimulatedPlan b) {
    int order = Integer.compare(a.total(), b.total());
    List<Allocation> as = List.copyOf(a.plan().allocations().values());
    List<Allocation> bs = List.copyOf(b.plan().allocations().values());
    for (int group = 0; order == 0 && group < as.size(); group++) {
      order = SMALLER.compare(as.get(group), bs.get(group));
    }
    return order;
  }
}
