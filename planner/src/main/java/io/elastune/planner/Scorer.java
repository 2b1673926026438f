package io.elastune.planner;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import java.util.Optional;

/**
 * Computes time and cost of plans for a chain in the mean-value model. Neighbors of a base plan are
 * run only from the group before the first that differs. Not thread-safe.
 */
final class Scorer {
  private final ChainModel model;
  private final GroupRun run;
  private final Held[] before;
  private double meanS;
  private double completionS;
  private double costUsd;

  Scorer(ChainModel model) {
    this.model = model;
    this.run = new GroupRun(model);
    this.before = new Held[model.groups()];
  }

  /** Scores a plan from its start and makes it the base of {@link #varyWithin}. */
  Draft score(Size[] sizes, int[] instances) {
    Held held = begin(sizes, instances);
    for (int group = 0; group < sizes.length; group++) {
      before[group] = held;
      run.run(held, group, sizes[group], instances[group]);
      held = run.release(surplus(sizes, instances, group));
    }
    end(held);
    return draft(sizes, instances);
  }

  /**
   * Scores a plan that equals the base before group {@code from} and is useful only if it costs
   * less than {@code mostUsd} and takes at most {@code latestS}.
   *
   * @return false if it is not useful: it may then not have been scored to its end
   */
  boolean varyWithin(Size[] sizes, int[] instances, int from, double mostUsd, double latestS) {
    int first = Math.max(0, from - 1);
    Held held = first == 0 ? begin(sizes, instances) : before[first];
    double restUsd = 0;
    double restS = 0;
    for (int group = first; group < sizes.length; group++) {
      restUsd += model.leastUsd(group, sizes[group]);
      restS += LowerBound.shortestS(model, group, sizes[group], instances[group]);
    }
    for (int group = first; group < sizes.length; group++) {
      double passedS = model.safeS(held.timeS(), held.varianceS2());
      if (model.spentUsd(held) + restUsd >= mostUsd || passedS + restS > latestS) {
        return false;
      }
      restUsd -= model.leastUsd(group, sizes[group]);
      restS -= LowerBound.shortestS(model, group, sizes[group], instances[group]);
      run.run(held, group, sizes[group], instances[group]);
      held = run.release(surplus(sizes, instances, group));
    }
    end(held);
    return costUsd < mostUsd && completionS <= latestS;
  }

  /** Scores this chain's part of a plan; returns nothing if an allocation is not on the menu. */
  Optional<Draft> score(Plan plan) {
    Size[] sizes = new Size[model.groups()];
    int[] instances = new int[model.groups()];
    for (int group = 0; group < sizes.length; group++) {
      Allocation allocation = plan.of(model.group(group));
      Optional<Size> size = model.size(allocation);
      if (size.isEmpty()) {
        return Optional.empty();
      }
      sizes[group] = size.get();
      instances[group] = allocation.instances();
    }
    return Optional.of(score(sizes, instances));
  }

  private Held begin(Size[] sizes, int[] instances) {
    return model.start().forGroup(sizes[0].rental(), instances[0]);
  }

  private void end(Held held) {
    meanS = held.timeS();
    completionS = model.safeS(meanS, held.varianceS2());
    costUsd = held.costUsd() + meanS * model.clockUsdPerS();
  }

  /** Returns the plan last scored. */
  Draft draft(Size[] sizes, int[] instances) {
    return Draft.of(sizes, instances, completionS, meanS, costUsd);
  }

  private static int surplus(Size[] sizes, int[] instances, int group) {
    int next = group + 1;
    if (next == sizes.length || !sizes[next].rental().equals(sizes[group].rental())) {
      return instances[group];
    }
    return Math.max(0, instances[group] - instances[next]);
  }

  /** Mean seconds of the plan last scored. */
  double meanS() {
    return meanS;
  }

  /** Seconds of the plan last scored, as limits and frontiers count them ({@link Draft}). */
  double completionS() {
    return completionS;
  }

  /** Mean dollars of the plan last scored. */
  double costUsd() {
    return costUsd;
  }

  /** Scores the best static cluster of {@code instances}: each group with its fastest size. */
  Draft scoreStatic(Rental rental, int instances) {
    Size[] sizes = new Size[model.groups()];
    int[] counts = new int[model.groups()];
    Held held = model.start().forGroup(rental, instances);
    for (int group = 0; group < sizes.length; group++) {
      counts[group] = instances;
      sizes[group] = fastestSize(held, group, rental, instances);
      run.run(held, group, sizes[group], instances);
      if (group < sizes.length - 1) {
        held = run.release(0);
      }
    }
    meanS = run.endS();
    completionS = model.safeS(meanS, run.endS2());
    costUsd = run.heldToTheEndUsd() + meanS * model.clockUsdPerS();
    return draft(sizes, counts);
  }

  private Size fastestSize(Held held, int group, Rental rental, int instances) {
    Size best = null;
    double bestS = Double.POSITIVE_INFINITY;
    for (Size size : model.sizesOf(rental.index())) {
      if (size.team() <= instances) {
        run.run(held, group, size, instances);
        if (run.endS() < bestS - Timed.SAME) {
          bestS = run.endS();
          best = size;
        }
      }
    }
    if (best == null) {
      throw new IllegalArgumentException(
          "no size of " + rental.offer().name() + " fits " + instances + " instances");
    }
    return best;
  }
}
