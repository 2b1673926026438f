package io.elastune.planner.cluster;

import io.elastune.core.billing.Billing;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import io.elastune.planner.result.WorkBounds;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Computes lower bounds of the mean completion time and cost on a fixed cluster: all instances
 * boot, and each group takes as long as its work on all GPUs, and as its longest trial. Chains run
 * at the same time.
 */
final class FixedClusterBounds implements WorkBounds {
  private final Problem problem;
  private final ChoiceSet choiceSet;
  private final int instances;

  FixedClusterBounds(Problem problem, ChoiceSet choiceSet) {
    this.problem = problem;
    this.choiceSet = choiceSet;
    this.instances = problem.cluster().orElseThrow().instances();
  }

  /** Returns the least seconds from the start to completion. */
  @Override
  public double shortestS() {
    return least(choice -> choice.readyAfterS() + trainingS(choice));
  }

  /** Returns the least cost in USD. */
  @Override
  public double leastUsd() {
    return least(
        choice -> {
          double perS = choice.offer().usdPerHour() / Billing.SECONDS_PER_HOUR;
          double bootS = choice.billedByUse() ? 0 : choice.offer().bootS().mean();
          double usedS = choice.billedByUse() ? workS(choice) : trainingS(choice);
          return instances * perS * (bootS + usedS);
        });
  }

  private double least(ToDoubleFunction<OfferChoice> value) {
    return choiceSet.offerChoices().stream()
        .filter(choice -> choice.maxInstances() >= instances)
        .mapToDouble(value)
        .min()
        .orElse(0);
  }

  /** Seconds in which all GPUs could complete the work of all groups. */
  private double workS(OfferChoice choice) {
    return chains().stream().flatMap(List::stream).mapToDouble(group -> workS(choice, group)).sum();
  }

  private double trainingS(OfferChoice choice) {
    double longestChainS =
        chains().stream()
            .mapToDouble(
                chain ->
                    chain.stream()
                        .mapToDouble(
                            group -> Math.max(workS(choice, group), longestS(choice, group)))
                        .sum())
            .max()
            .orElse(0);
    return Math.max(workS(choice), longestChainS);
  }

  private double workS(OfferChoice choice, TrialGroup group) {
    double gpuSeconds =
        least(choice, shape -> unitS(shape) * shape.gpusPerTrial() / shape.trialsPerGpu());
    return group.trials() * group.units() * gpuSeconds / (instances * choice.offer().gpus());
  }

  private double longestS(OfferChoice choice, TrialGroup group) {
    return group.units() * least(choice, FixedClusterBounds::unitS);
  }

  private double least(OfferChoice choice, ToDoubleFunction<TrialShape> value) {
    return choiceSet.trialShapes().stream()
        .filter(shape -> shape.offerChoice().equals(choice))
        .mapToDouble(value)
        .min()
        .orElse(0);
  }

  private static double unitS(TrialShape shape) {
    Profile profile = shape.offerChoice().profile();
    return profile.secondsPerUnit(shape.gpusPerTrial(), shape.trialsPerGpu()).orElse(0);
  }

  /**
   * The groups of each chain. Of an asynchronous search only the units of the first rung are
   * certain, and none if it ends at a time.
   */
  private List<List<TrialGroup>> chains() {
    if (problem.hyperSched().isPresent() || problem.workload().endsAtTime()) {
      return List.of(); // how many trials start is unknown
    }
    return problem
        .workload()
        .rungs()
        .map(FixedClusterBounds::first)
        .orElseGet(() -> problem.workload().chains().stream().map(Chain::groups).toList());
  }

  private static List<List<TrialGroup>> first(RungRule rule) {
    int certain = Math.min(rule.trials(), rule.trained().orElse(rule.trials()));
    return List.of(List.of(new TrialGroup("r0", certain, 0, rule.target(0))));
  }
}
