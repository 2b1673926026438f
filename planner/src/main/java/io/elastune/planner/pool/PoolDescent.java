package io.elastune.planner.pool;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Workload;
import io.elastune.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Searches the GPUs per trial of all groups for a given number of shared instances: a descent to a
 * local optimum, and simulated annealing from there. Same input, same result.
 */
final class PoolDescent {
  private static final int MOST_ROUNDS = 12;
  private static final int ANNEALING_RESTARTS = 4;
  private static final int STEPS_PER_GROUP = 100;
  private static final int MOST_STEPS = 1_500;

  /** The increase of the cost that is accepted with probability 1/e, at the first and last step. */
  private static final double FIRST_TEMPERATURE = 0.03;

  private static final double LAST_TEMPERATURE = 0.001;

  /** The cost of exceeding the deadline, as a multiple of the cost of the plan. */
  private static final double LATE_FACTOR = 5;

  private static final double UNIT_OF_DOUBLE = 0x1.0p-53;
  private static final int DISCARDED_BITS = 11;

  private final List<Integer> sizes;
  private final double deadlineS;
  private final Function<List<Integer>, PoolCandidate> evaluate;
  private final BooleanSupplier timeLimitReached;
  // By group: the end of its chain.
  private final List<Integer> ends = new ArrayList<>();
  private @Nullable PoolCandidate best;

  /**
   * @param sizes the GPUs per trial to choose from, ascending
   * @param deadlineS infinite for none
   */
  PoolDescent(
      Workload workload,
      List<Integer> sizes,
      double deadlineS,
      Function<List<Integer>, PoolCandidate> evaluate,
      BooleanSupplier timeLimitReached) {
    this.sizes = sizes;
    this.deadlineS = deadlineS;
    this.evaluate = evaluate;
    this.timeLimitReached = timeLimitReached;
    for (Chain chain : workload.chains()) {
      int end = ends.size() + chain.groups().size();
      chain.groups().forEach(group -> ends.add(end));
    }
  }

  /** Returns the best candidate so far; there must be one. */
  PoolCandidate best() {
    if (best == null) {
      throw new IllegalStateException("nothing was evaluated");
    }
    return best;
  }

  /** Compares by completion if one is late, otherwise by cost. */
  int compare(PoolCandidate one, PoolCandidate other) {
    boolean isLate = one.completionS() > deadlineS;
    if (isLate != other.completionS() > deadlineS) {
      return isLate ? 1 : -1;
    }
    return isLate
        ? Double.compare(one.completionS(), other.completionS())
        : Double.compare(one.costUsd(), other.costUsd());
  }

  /** Improves {@code widths} by single moves until none helps. */
  void descend(List<Integer> widths) {
    PoolCandidate now = evaluated(widths);
    for (int round = 0; round < MOST_ROUNDS; round++) {
      PoolCandidate before = now;
      for (int group = 0; group < ends.size(); group++) {
        for (int step : new int[] {1, -1}) {
          now = better(now, moved(now.gpus(), group, group + 1, step));
          now = better(now, moved(now.gpus(), group, ends.get(group), step));
        }
      }
      if (now.equals(before)) {
        return;
      }
    }
  }

  private PoolCandidate better(PoolCandidate now, List<Integer> widths) {
    if (widths.equals(now.gpus()) || timeLimitReached.getAsBoolean()) {
      return now;
    }
    PoolCandidate candidate = evaluated(widths);
    return compare(candidate, now) < 0 ? candidate : now;
  }

  /** Continues from the best candidate with random moves, of which some increase the cost. */
  void anneal() {
    for (int restart = 0; restart < ANNEALING_RESTARTS; restart++) {
      anneal(RandomStreams.of(restart).at("pool").open());
    }
  }

  private void anneal(RandomGenerator random) {
    PoolCandidate now = best();
    int steps = Math.min(MOST_STEPS, STEPS_PER_GROUP * ends.size());
    for (int step = 0; step < steps && !timeLimitReached.getAsBoolean(); step++) {
      List<Integer> widths = randomlyMoved(now.gpus(), random);
      double luck = uniform(random);
      PoolCandidate candidate = widths.equals(now.gpus()) ? now : evaluated(widths);
      double increase = energy(candidate) / energy(now) - 1;
      if (increase <= 0 || luck < StrictMath.exp(-increase / temperature((double) step / steps))) {
        now = candidate;
      }
    }
    descend(best().gpus());
  }

  private static double temperature(double part) {
    return FIRST_TEMPERATURE * StrictMath.pow(LAST_TEMPERATURE / FIRST_TEMPERATURE, part);
  }

  /** Returns the cost of the best candidate, higher if it is late. */
  double leastEnergy() {
    return energy(best());
  }

  private double energy(PoolCandidate candidate) {
    double late = deadlineS > 0 ? Math.max(0, candidate.completionS() / deadlineS - 1) : Double.NaN;
    return deadlineS > 0 ? candidate.costUsd() * (1 + LATE_FACTOR * late) : candidate.completionS();
  }

  private List<Integer> randomlyMoved(List<Integer> widths, RandomGenerator random) {
    int group = (int) (uniform(random) * ends.size());
    int step = uniform(random) < 0.5 ? 1 : -1;
    boolean isSuffix = uniform(random) < 0.25;
    return moved(widths, group, isSuffix ? ends.get(group) : group + 1, step);
  }

  private static double uniform(RandomGenerator random) {
    return (random.nextLong() >>> DISCARDED_BITS) * UNIT_OF_DOUBLE;
  }

  /** Changes the GPUs of a range of groups by one step, where that is possible. */
  private List<Integer> moved(List<Integer> widths, int from, int to, int step) {
    List<Integer> moved = new ArrayList<>(widths);
    for (int group = from; group < to; group++) {
      int index = sizes.indexOf(widths.get(group)) + step;
      if (index >= 0 && index < sizes.size()) {
        moved.set(group, sizes.get(index));
      }
    }
    return moved;
  }

  PoolCandidate evaluated(List<Integer> widths) {
    PoolCandidate candidate = evaluate.apply(widths);
    if (best == null || compare(candidate, best) < 0) {
      best = candidate;
    }
    return candidate;
  }
}
