package io.elastune.planner.quality;

import io.elastune.core.allocation.TrialSizes;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Enumerates and simulates all plans of a small job. Shares only the rules for legal plans with the
 * planner.
 */
final class Enumeration {
  /** Samples that reject clearly infeasible plans; the other plans get all samples. */
  private static final int FEW = 40;

  private final Problem problem;
  private final List<Allocation> allocations = new ArrayList<>();
  private final List<EnumeratedPlan> enumeratedPlan = new ArrayList<>();
  private final Simulator simulator;

  /** A plan with its mean completion time and mean cost. */
  record EnumeratedPlan(Plan plan, double completionS, double costUsd) {}

  private Enumeration(Problem problem, int samples) {
    this.problem = problem;
    this.simulator = new Simulator(problem, samples);
    for (Offer offer : problem.offers()) {
      for (int count = 1; count <= problem.limits().maxInstances(); count++) {
        for (int gpus : TrialSizes.of(problem, offer)) {
          if (gpus <= count * offer.gpus()) {
            allocations.add(new Allocation(offer.name(), count, gpus, 1));
          }
        }
      }
    }
    extend(new LinkedHashMap<>(), 0);
  }

  /** Returns all plans of a job without spread. */
  static List<EnumeratedPlan> of(Problem problem) {
    return new Enumeration(problem, 1).enumeratedPlan;
  }

  /**
   * Returns the cheapest plan of a job with spread that meets the deadline with the required
   * confidence, by {@code samples} samples.
   */
  static Optional<EnumeratedPlan> cheapest(Problem problem, int samples) {
    Simulator full = new Simulator(problem, samples);
    double deadlineS = problem.limits().deadlineS().orElseThrow();
    List<EnumeratedPlan> cheapestFirst =
        new ArrayList<>(new Enumeration(problem, FEW).enumeratedPlan);
    cheapestFirst.sort(Comparator.comparingDouble(EnumeratedPlan::costUsd));
    Optional<EnumeratedPlan> best = Optional.empty();
    for (EnumeratedPlan few : cheapestFirst) {
      if (best.isPresent() && few.costUsd() > 1.03 * best.get().costUsd()) {
        break;
      }
      if (few.completionS() <= deadlineS) {
        JointSamples all = full.sample(few.plan());
        double costUsd = mean(all.costUsd());
        if (PlannerCalls.onTime(all, deadlineS) >= problem.limits().confidence()
            && costUsd < best.map(EnumeratedPlan::costUsd).orElse(Double.POSITIVE_INFINITY)) {
          best = Optional.of(new EnumeratedPlan(few.plan(), mean(all.completionS()), costUsd));
        }
      }
    }
    return best;
  }

  private void extend(Map<String, Allocation> chosen, int group) {
    List<TrialGroup> groups = problem.workload().groups();
    if (group == groups.size()) {
      Plan plan = new Plan(false, chosen);
      JointSamples jointSamples = simulator.sample(plan);
      enumeratedPlan.add(
          new EnumeratedPlan(plan, mean(jointSamples.completionS()), mean(jointSamples.costUsd())));
      return;
    }
    for (Allocation allocation : allocations) {
      chosen.put(groups.get(group).name(), allocation);
      extend(chosen, group + 1);
    }
    chosen.remove(groups.get(group).name());
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
