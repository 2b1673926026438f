package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Enumerates the neighbors of a plan: another offer, size or number of instances for one group, or
 * for one group and, as an upper limit, for all later groups. Only numbers are tried at which the
 * number of waves of a group changes, or that an adjacent group holds. In a chain of very many
 * groups, such as a population with a comparison after each unit, consecutive groups are changed
 * together.
 */
final class Neighbors {
  /** Most parts of a chain that are changed by themselves. */
  private static final int MOST_PARTS = 48;

  private final MeanValueModel model;
  private final List<List<TrialShape>> trialShapes = new ArrayList<>();
  private final int[][] counts;

  /** Consecutive groups that are changed together. */
  private final int together;

  /** By group and offer, then by instances; computed on first use. */
  private final @Nullable TrialShape[][] fitting;

  /** Receives neighbors. The arrays are reused after the call. */
  interface Visitor {
    /**
     * Receives one neighbor.
     *
     * @param from the first group that differs from the base
     */
    void visit(TrialShape[] trialShapes, int[] instances, int from);
  }

  Neighbors(MeanValueModel model) {
    this.model = model;
    this.together = (model.groups() + MOST_PARTS - 1) / MOST_PARTS;
    this.counts = new int[model.groups() * model.choiceSet().trialShapes().size()][];
    this.fitting = new TrialShape[model.groups() * model.choiceSet().offerChoices().size()][];
    for (int group = 0; group < model.groups(); group++) {
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        counts[group * model.choiceSet().trialShapes().size() + trialShape.index()] =
            waveCounts(group, trialShape);
      }
      List<TrialShape> worth = new ArrayList<>();
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        if (!isDominated(trialShape, group)) {
          worth.add(trialShape);
        }
      }
      trialShapes.add(worth);
    }
  }

  /** Whether another size runs as many trials at once, each in less time. */
  private boolean isDominated(TrialShape trialShape, int group) {
    for (TrialShape other : model.sizesOf(trialShape.offerChoice().index())) {
      double gain = model.trialS(group, trialShape) - model.trialS(group, other);
      boolean roomier = other.share() <= trialShape.share() && other.team() <= trialShape.team();
      boolean first = other.index() < trialShape.index() && other.share() == trialShape.share();
      if (!other.equals(trialShape) && roomier && (gain > 0 || (gain == 0 && first))) {
        return true;
      }
    }
    return false;
  }

  /** Sizes worth trying for {@code group}. */
  List<TrialShape> sizes(int group) {
    return trialShapes.get(group);
  }

  /** Numbers of instances worth trying for {@code group}, ascending. */
  int[] counts(int group, TrialShape trialShape) {
    return counts[group * model.choiceSet().trialShapes().size() + trialShape.index()];
  }

  /**
   * Returns, for each number of waves, the fewest instances with which a group needs no more waves.
   */
  private int[] waveCounts(int group, TrialShape trialShape) {
    IntStream.Builder found = IntStream.builder();
    int most = trialShape.offerChoice().maxInstances() / trialShape.team();
    int units = trialShape.instancesFor(model.trials(group)) / trialShape.team();
    for (int waves = 1; waves <= units; ) {
      int count = (units + waves - 1) / waves;
      if (count <= most) {
        found.add(count * trialShape.team());
      }
      // The next number of waves that needs fewer units.
      waves = count == 1 ? units + 1 : (units + count - 2) / (count - 1);
    }
    return found.build().sorted().toArray();
  }

  void visitNeighbors(
      ChainCandidate base, Predicate<OfferChoice> allowed, int cap, Visitor visitor) {
    TrialShape[] baseSizes = base.sizeArray();
    int[] baseInstances = base.instanceArray();
    Around around = new Around(baseSizes, baseInstances, visitor);
    for (int group = 0; group < baseSizes.length; group += together) {
      for (TrialShape trialShape : trialShapes.get(group)) {
        if (allowed.test(trialShape.offerChoice())) {
          for (int count : counts(group, trialShape)) {
            if (count <= cap) {
              around.visit(group, trialShape, count);
            }
          }
          around.visitHeldNearby(group, trialShape);
        }
      }
    }
  }

  /**
   * Visits the plans with one instance or team more or less for one group, regardless of the waves.
   * Where durations vary, a spare instance takes trials that wait for a slow one, and an unneeded
   * one replaces one that boots slowly.
   */
  void visitOneMoreOrLess(ChainCandidate base, int cap, Visitor visitor) {
    TrialShape[] baseSizes = base.sizeArray();
    int[] baseInstances = base.instanceArray();
    Around around = new Around(baseSizes, baseInstances, visitor);
    for (int group = 0; group < baseSizes.length; group += together) {
      TrialShape trialShape = baseSizes[group];
      int most = Math.min(cap, trialShape.offerChoice().maxInstances());
      if (baseInstances[group] >= 2 * trialShape.team()) {
        around.visit(group, trialShape, baseInstances[group] - trialShape.team());
      }
      if (baseInstances[group] + trialShape.team() <= most) {
        around.visit(group, trialShape, baseInstances[group] + trialShape.team());
      }
    }
  }

  /**
   * Visits the same neighbors with any number of instances, up to twice as many as are useful at
   * once; and with at least as many in the later groups.
   */
  void visitAllCounts(
      ChainCandidate base, Predicate<OfferChoice> allowed, int cap, Visitor visitor) {
    Around around = new Around(base.sizeArray(), base.instanceArray(), visitor);
    for (int group = 0; group < trialShapes.size(); group += together) {
      for (TrialShape trialShape : trialShapes.get(group)) {
        int room = 2 * trialShape.instancesFor(mostTrials(group));
        int most = Math.min(Math.min(cap, trialShape.offerChoice().maxInstances()), room);
        for (int count = trialShape.team();
            count <= most && allowed.test(trialShape.offerChoice());
            count += trialShape.team()) {
          around.visit(group, trialShape, count);
          around.visitRaised(group, trialShape, count);
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
    private final TrialShape[] baseSizes;
    private final int[] baseInstances;
    private final Visitor visitor;
    private final TrialShape[] trySizes;
    private final int[] tryInstances;

    Around(TrialShape[] baseSizes, int[] baseInstances, Visitor visitor) {
      this.baseSizes = baseSizes;
      this.baseInstances = baseInstances;
      this.visitor = visitor;
      this.trySizes = baseSizes.clone();
      this.tryInstances = baseInstances.clone();
    }

    /** Visits the numbers that this group or an adjacent one holds now. */
    void visitHeldNearby(int group, TrialShape trialShape) {
      int last = 0;
      for (int at = Math.max(0, group - 1);
          at <= Math.min(baseSizes.length - 1, group + together);
          at++) {
        int count = baseInstances[at];
        if (count != last
            && count >= trialShape.team()
            && baseSizes[at].offerChoice().equals(trialShape.offerChoice())
            && Arrays.binarySearch(counts(group, trialShape), count) < 0) {
          visit(group, trialShape, count);
          last = count;
        }
      }
    }

    private void change(int group, TrialShape trialShape, int count) {
      System.arraycopy(baseSizes, 0, trySizes, 0, baseSizes.length);
      System.arraycopy(baseInstances, 0, tryInstances, 0, baseSizes.length);
      Arrays.fill(trySizes, group, after(group), trialShape);
      Arrays.fill(tryInstances, group, after(group), count);
    }

    /** Returns the first group after those that are changed together. */
    private int after(int group) {
      return Math.min(baseSizes.length, group + together);
    }

    private boolean isChange(int group) {
      for (int at = group; at < after(group); at++) {
        if (!baseSizes[at].equals(trySizes[at]) || baseInstances[at] != tryInstances[at]) {
          return true;
        }
      }
      return false;
    }

    void visit(int group, TrialShape trialShape, int count) {
      change(group, trialShape, count);
      if (isChange(group)) {
        visitor.visit(trySizes, tryInstances, group);
      }
      if (cap(group, trialShape, count)) {
        visitor.visit(trySizes, tryInstances, group);
      }
    }

    /** Visits the plan with at least as many instances in all later groups. */
    void visitRaised(int group, TrialShape trialShape, int count) {
      change(group, trialShape, count);
      boolean changed = false;
      for (int later = after(group); later < trySizes.length; later++) {
        if (trySizes[later].offerChoice().equals(trialShape.offerChoice())
            && tryInstances[later] < count) {
          tryInstances[later] = count;
          changed = true;
        }
      }
      if (changed) {
        visitor.visit(trySizes, tryInstances, group);
      }
    }

    private boolean cap(int group, TrialShape trialShape, int count) {
      boolean changed = false;
      for (int later = after(group); later < trySizes.length; later++) {
        if (!trySizes[later].offerChoice().equals(trialShape.offerChoice())
            || tryInstances[later] > count) {
          tryInstances[later] =
              Math.min(
                  count, equivalentInstances(trySizes[later], trialShape, tryInstances[later]));
          trySizes[later] = fitting(later, trialShape.offerChoice(), tryInstances[later]);
          tryInstances[later] = Math.max(tryInstances[later], trySizes[later].team());
          changed = true;
        }
      }
      return changed;
    }
  }

  /** Returns instances of another offer with about as many GPUs. */
  private static int equivalentInstances(TrialShape from, TrialShape to, int instances) {
    int gpus = from.offerChoice().offer().gpus() * instances;
    int each = to.offerChoice().offer().gpus();
    return Math.max(1, (gpus + each - 1) / each);
  }

  /** Returns the size with which a group is fastest on instances that are all ready. */
  private TrialShape fitting(int group, OfferChoice offerChoice, int instances) {
    int at = group * model.choiceSet().offerChoices().size() + offerChoice.index();
    if (fitting[at] == null) {
      fitting[at] = new TrialShape[offerChoice.maxInstances() + 1];
    }
    if (fitting[at][instances] == null) {
      fitting[at][instances] = fastest(group, offerChoice, instances);
    }
    return fitting[at][instances];
  }

  private TrialShape fastest(int group, OfferChoice offerChoice, int instances) {
    TrialShape best = null;
    double bestS = Double.POSITIVE_INFINITY;
    for (TrialShape trialShape : model.sizesOf(offerChoice.index())) {
      int atOnce = instances / trialShape.team() * trialShape.perTeam();
      if (atOnce > 0) {
        int waves = (model.trials(group) + atOnce - 1) / atOnce;
        double seconds = waves * model.trialS(group, trialShape);
        if (seconds < bestS) {
          bestS = seconds;
          best = trialShape;
        }
      }
    }
    return best == null ? smallest(offerChoice) : best;
  }

  private TrialShape smallest(OfferChoice offerChoice) {
    List<TrialShape> all = model.sizesOf(offerChoice.index());
    return all.stream().reduce((a, b) -> a.team() <= b.team() ? a : b).orElseThrow();
  }
}
