package io.elastune.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Enumerates the neighbors of a plan: another rental, size or number of instances for one group, or
 * for one group and, as an upper limit, for all later groups. Only numbers are tried at which the
 * number of waves of a group changes, or that an adjacent group holds.
 */
final class Neighbours {
  private final ChainModel model;
  private final List<List<Size>> sizes = new ArrayList<>();
  private final int[][] counts;

  /** By group and rental, then by instances; computed on first use. */
  private final @Nullable Size[][] fitting;

  /** Receives neighbors. The arrays are reused after the call. */
  interface Visitor {
    /**
     * Receives one neighbor.
     *
     * @param from the first group that differs from the base
     */
    void visit(Size[] sizes, int[] instances, int from);
  }

  Neighbours(ChainModel model) {
    this.model = model;
    this.counts = new int[model.groups() * model.menu().sizes().size()][];
    this.fitting = new Size[model.groups() * model.menu().rentals().size()][];
    for (int group = 0; group < model.groups(); group++) {
      for (Size size : model.menu().sizes()) {
        counts[group * model.menu().sizes().size() + size.index()] = waveCounts(group, size);
      }
      List<Size> worth = new ArrayList<>();
      for (Size size : model.menu().sizes()) {
        if (!isDominated(size, group)) {
          worth.add(size);
        }
      }
      sizes.add(worth);
    }
  }

  /** Whether another size runs as many trials at once, each in less time. */
  private boolean isDominated(Size size, int group) {
    for (Size other : model.sizesOf(size.rental().index())) {
      double gain = model.trialS(group, size) - model.trialS(group, other);
      boolean roomier = other.share() <= size.share() && other.team() <= size.team();
      boolean first = other.index() < size.index() && other.share() == size.share();
      if (!other.equals(size) && roomier && (gain > 0 || (gain == 0 && first))) {
        return true;
      }
    }
    return false;
  }

  /** Sizes worth trying for {@code group}. */
  List<Size> sizes(int group) {
    return sizes.get(group);
  }

  /** Numbers of instances worth trying for {@code group}, ascending. */
  int[] counts(int group, Size size) {
    return counts[group * model.menu().sizes().size() + size.index()];
  }

  /**
   * Returns, for each number of waves, the fewest instances with which a group needs no more waves.
   */
  private int[] waveCounts(int group, Size size) {
    IntStream.Builder found = IntStream.builder();
    int most = size.rental().most() / size.team();
    int units = size.roomFor(model.trials(group)) / size.team();
    for (int waves = 1; waves <= units; ) {
      int count = (units + waves - 1) / waves;
      if (count <= most) {
        found.add(count * size.team());
      }
      // The next number of waves that needs fewer units.
      waves = count == 1 ? units + 1 : (units + count - 2) / (count - 1);
    }
    return found.build().sorted().toArray();
  }

  void each(Draft base, Predicate<Rental> allowed, int cap, Visitor visitor) {
    Size[] baseSizes = base.sizeArray();
    int[] baseInstances = base.instanceArray();
    Around around = new Around(baseSizes, baseInstances, visitor);
    for (int group = 0; group < baseSizes.length; group++) {
      for (Size size : sizes.get(group)) {
        if (allowed.test(size.rental())) {
          for (int count : counts(group, size)) {
            if (count <= cap) {
              around.visit(group, size, count);
            }
          }
          around.visitHeldNearby(group, size);
        }
      }
    }
  }

  /**
   * Visits the plans with one instance or team more or less for one group, regardless of the waves.
   * Where durations vary, a spare instance takes trials that wait for a slow one, and an unneeded
   * one replaces one that boots slowly.
   */
  void spare(Draft base, int cap, Visitor visitor) {
    Size[] baseSizes = base.sizeArray();
    int[] baseInstances = base.instanceArray();
    Around around = new Around(baseSizes, baseInstances, visitor);
    for (int group = 0; group < baseSizes.length; group++) {
      Size size = baseSizes[group];
      int most = Math.min(cap, size.rental().most());
      if (baseInstances[group] >= 2 * size.team()) {
        around.visit(group, size, baseInstances[group] - size.team());
      }
      if (baseInstances[group] + size.team() <= most) {
        around.visit(group, size, baseInstances[group] + size.team());
      }
    }
  }

  /**
   * Visits the same neighbors with any number of instances, up to twice as many as are useful at
   * once; and with at least as many in the later groups.
   */
  void every(Draft base, Predicate<Rental> allowed, int cap, Visitor visitor) {
    Around around = new Around(base.sizeArray(), base.instanceArray(), visitor);
    for (int group = 0; group < sizes.size(); group++) {
      for (Size size : sizes.get(group)) {
        int room = 2 * size.roomFor(mostTrials(group));
        int most = Math.min(Math.min(cap, size.rental().most()), room);
        for (int count = size.team();
            count <= most && allowed.test(size.rental());
            count += size.team()) {
          around.visit(group, size, count);
          around.visitRaised(group, size, count);
        }
      }
    }
  }

  /** The most trials of a group and all later ones, for which it may hold instances. */
  private int mostTrials(int group) {
    return IntStream.range(group, model.groups()).map(model::trials).max().orElseThrow();
  }

  /** Builds the neighbors of one plan. */
  private final class Around {
    private final Size[] baseSizes;
    private final int[] baseInstances;
    private final Visitor visitor;
    private final Size[] trySizes;
    private final int[] tryInstances;

    Around(Size[] baseSizes, int[] baseInstances, Visitor visitor) {
      this.baseSizes = baseSizes;
      this.baseInstances = baseInstances;
      this.visitor = visitor;
      this.trySizes = baseSizes.clone();
      this.tryInstances = baseInstances.clone();
    }

    /** Visits the numbers that this group or an adjacent one holds now. */
    void visitHeldNearby(int group, Size size) {
      int last = 0;
      for (int at = Math.max(0, group - 1); at < Math.min(baseSizes.length, group + 2); at++) {
        int count = baseInstances[at];
        if (count != last
            && count >= size.team()
            && baseSizes[at].rental().equals(size.rental())
            && Arrays.binarySearch(counts(group, size), count) < 0) {
          visit(group, size, count);
          last = count;
        }
      }
    }

    private void change(int group, Size size, int count) {
      System.arraycopy(baseSizes, 0, trySizes, 0, baseSizes.length);
      System.arraycopy(baseInstances, 0, tryInstances, 0, baseSizes.length);
      trySizes[group] = size;
      tryInstances[group] = count;
    }

    void visit(int group, Size size, int count) {
      change(group, size, count);
      if (!baseSizes[group].equals(size) || baseInstances[group] != count) {
        visitor.visit(trySizes, tryInstances, group);
      }
      if (cap(group, size, count)) {
        visitor.visit(trySizes, tryInstances, group);
      }
    }

    /** Visits the plan with at least as many instances in all later groups. */
    void visitRaised(int group, Size size, int count) {
      change(group, size, count);
      boolean changed = false;
      for (int later = group + 1; later < trySizes.length; later++) {
        if (trySizes[later].rental().equals(size.rental()) && tryInstances[later] < count) {
          tryInstances[later] = count;
          changed = true;
        }
      }
      if (changed) {
        visitor.visit(trySizes, tryInstances, group);
      }
    }

    private boolean cap(int group, Size size, int count) {
      boolean changed = false;
      for (int later = group + 1; later < trySizes.length; later++) {
        if (!trySizes[later].rental().equals(size.rental()) || tryInstances[later] > count) {
          tryInstances[later] =
              Math.min(count, equivalentInstances(trySizes[later], size, tryInstances[later]));
          trySizes[later] = fitting(later, size.rental(), tryInstances[later]);
          tryInstances[later] = Math.max(tryInstances[later], trySizes[later].team());
          changed = true;
        }
      }
      return changed;
    }
  }

  /** Returns instances of another rental with about as many GPUs. */
  private static int equivalentInstances(Size from, Size to, int instances) {
    int gpus = from.rental().offer().gpus() * instances;
    int each = to.rental().offer().gpus();
    return Math.max(1, (gpus + each - 1) / each);
  }

  /** Returns the size with which a group is fastest on instances that are all ready. */
  private Size fitting(int group, Rental rental, int instances) {
    int at = group * model.menu().rentals().size() + rental.index();
    if (fitting[at] == null) {
      fitting[at] = new Size[rental.most() + 1];
    }
    if (fitting[at][instances] == null) {
      fitting[at][instances] = fastest(group, rental, instances);
    }
    return fitting[at][instances];
  }

  private Size fastest(int group, Rental rental, int instances) {
    Size best = null;
    double bestS = Double.POSITIVE_INFINITY;
    for (Size size : model.sizesOf(rental.index())) {
      int atOnce = instances / size.team() * size.perTeam();
      if (atOnce > 0) {
        int waves = (model.trials(group) + atOnce - 1) / atOnce;
        double seconds = waves * model.trialS(group, size);
        if (seconds < bestS) {
          bestS = seconds;
          best = size;
        }
      }
    }
    return best == null ? smallest(rental) : best;
  }

  private Size smallest(Rental rental) {
    List<Size> all = model.sizesOf(rental.index());
    return all.stream().reduce((a, b) -> a.team() <= b.team() ? a : b).orElseThrow();
  }
}
