package io.elastune.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The plans one move away: another rental, size or number of instances for one group, or for one
 * group and, as a cap, all after it. Only numbers at which the waves of a group change, or that a
 * neighbouring group holds, are tried.
 */
final class Neighbours {
  private final ChainModel model;
  private final List<List<Size>> sizes = new ArrayList<>();

  /** Takes a neighbour; the arrays are only lent. */
  interface Visitor {
    /**
     * Looks at one neighbour.
     *
     * @param from the first group that differs from the base
     * @param suffix whether later groups were changed too
     */
    void visit(Size[] sizes, int[] instances, int from, boolean suffix);
  }

  Neighbours(ChainModel model) {
    this.model = model;
    for (int group = 0; group < model.groups(); group++) {
      List<Size> worth = new ArrayList<>();
      for (Size size : model.menu().sizes()) {
        if (!needless(size, group)) {
          worth.add(size);
        }
      }
      sizes.add(worth);
    }
  }

  /** Whether another size runs as many trials at once, each in less time. */
  private boolean needless(Size size, int group) {
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

  /** Numbers of instances worth trying for {@code group}. */
  SortedSet<Integer> counts(int group, Size size, int cap) {
    SortedSet<Integer> counts = new TreeSet<>();
    int most = Math.min(cap, size.rental().most()) / size.team();
    int units = size.roomFor(model.trials(group)) / size.team();
    for (int waves = 1; waves <= units; ) {
      int count = (units + waves - 1) / waves;
      if (count <= most) {
        counts.add(count * size.team());
      }
      // The next number of waves that needs fewer units.
      waves = count == 1 ? units + 1 : (units + count - 2) / (count - 1);
    }
    return counts;
  }

  void each(Draft base, Predicate<Rental> allowed, int cap, Visitor visitor) {
    for (int group = 0; group < model.groups(); group++) {
      for (Size size : sizes.get(group)) {
        if (allowed.test(size.rental())) {
          for (int count : near(base, group, size, cap)) {
            single(base, group, size, count, visitor);
            suffix(base, group, size, count, visitor);
          }
        }
      }
    }
  }

  private SortedSet<Integer> near(Draft base, int group, Size size, int cap) {
    SortedSet<Integer> counts = counts(group, size, cap);
    for (int at = Math.max(0, group - 1); at < Math.min(model.groups(), group + 2); at++) {
      int count = base.instances().get(at);
      if (base.sizes().get(at).rental().equals(size.rental()) && count >= size.team()) {
        counts.add(count);
      }
    }
    return counts;
  }

  private static void single(Draft base, int group, Size size, int count, Visitor visitor) {
    if (base.sizes().get(group).equals(size) && base.instances().get(group) == count) {
      return;
    }
    Size[] sizes = base.sizeArray();
    int[] instances = base.instanceArray();
    sizes[group] = size;
    instances[group] = count;
    visitor.visit(sizes, instances, group, false);
  }

  private void suffix(Draft base, int group, Size size, int count, Visitor visitor) {
    Size[] sizes = base.sizeArray();
    int[] instances = base.instanceArray();
    sizes[group] = size;
    instances[group] = count;
    boolean changed = false;
    for (int later = group + 1; later < sizes.length; later++) {
      if (!sizes[later].rental().equals(size.rental()) || instances[later] > count) {
        instances[later] = Math.min(count, alike(sizes[later], size, instances[later]));
        sizes[later] = fitting(later, size.rental(), instances[later]);
        changed = true;
      }
    }
    if (changed) {
      visitor.visit(sizes, instances, group, true);
    }
  }

  /** About as many GPUs of another rental. */
  private static int alike(Size from, Size to, int instances) {
    int gpus = from.rental().offer().gpus() * instances;
    int each = to.rental().offer().gpus();
    return Math.max(1, (gpus + each - 1) / each);
  }

  /** The size with which a group is fastest on instances that are all ready. */
  private Size fitting(int group, Rental rental, int instances) {
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
