package io.elastune.planner;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exact planner for one chain: labels over (group, instances held), each with time, money and
 * all that couples the groups after the barrier to those before it. Dominated labels are dropped
 * only where no continuation can tell ({@link Dominance}); labels whose every continuation is worse
 * than a plan already known are dropped too. What is left at the end is the whole frontier of time
 * against money.
 */
final class Exact {
  /** Bounds may be off by rounding; and what ties with the best must be seen. */
  private static final double SLACK_USD = 1e-8;

  /** Looks at a known plan that take as long as running a group. */
  private static final int CHECKS_PER_STEP = 8;

  private final ChainModel model;
  private final GroupRun run;
  private final Relaxation relaxation;
  private final double fromS;
  private final double toS;
  private final Front<Draft> front;
  private final double[] restS;
  private final Dominance dominance;
  private long checks;
  private long effort;

  /**
   * A way to hold {@code held} when a group begins.
   *
   * @param let the rental that was just let go altogether: it cannot be taken again at once; -1
   * @param shrunk whether instances were let go because the next group does not need them
   * @param size of the group before; null at the start
   */
  record Label(
      Held held,
      int let,
      boolean shrunk,
      int total,
      @Nullable Label parent,
      @Nullable Size size,
      int instances) {}

  /**
   * @param known plans already found; the frontier is added to them
   * @param fromS the frontier is sought from this deadline
   * @param toS to this one
   * @param effort runs of a group, or comparisons of labels, that may be spent
   */
  Exact(
      ChainModel model,
      Relaxation relaxation,
      Front<Draft> known,
      double fromS,
      double toS,
      long effort) {
    this.model = model;
    this.run = new GroupRun(model);
    this.relaxation = relaxation;
    this.fromS = fromS;
    this.toS = toS;
    this.front = known;
    this.effort = effort;
    this.restS = shortestRestS(model);
    this.dominance = new Dominance(model);
  }

  /** The least that all groups from each on take. */
  private static double[] shortestRestS(ChainModel model) {
    double[] restS = new double[model.groups() + 1];
    for (int group = model.groups() - 1; group >= 0; group--) {
      double leastS = Double.POSITIVE_INFINITY;
      for (Size size : model.menu().sizes()) {
        leastS = Math.min(leastS, LowerBound.shortestS(model, group, size));
      }
      restS[group] = restS[group + 1] + leastS;
    }
    return restS;
  }

  /** Searches; false if the effort was spent before the end, and nothing is proven. */
  boolean search() {
    List<Label> labels = beginnings();
    for (int group = 0; group < model.groups(); group++) {
      Map<Integer, List<Label>> next = new HashMap<>();
      for (Label label : labels) {
        expand(label, group, next);
        if (effort - checks / CHECKS_PER_STEP < 0) {
          return false;
        }
      }
      labels = next.values().stream().flatMap(List::stream).toList();
    }
    return true;
  }

  /** What is held at the start may be let go altogether, or kept, or kept in part. */
  private List<Label> beginnings() {
    List<Label> labels = new ArrayList<>();
    Held all = model.start().all();
    for (Rental rental : model.menu().rentals()) {
      if (rental.index() == all.rental()) {
        int most = Math.min(all.count(), relaxation.useful(0, rental));
        for (int kept = 1; kept <= most; kept++) {
          Held some = model.start().forGroup(rental, kept);
          labels.add(new Label(some, -1, kept < all.count(), 0, null, null, 0));
        }
      }
    }
    labels.add(new Label(model.start().none(), all.rental(), false, 0, null, null, 0));
    return labels;
  }

  private void expand(Label label, int group, Map<Integer, List<Label>> next) {
    int held = label.held().count();
    for (Size size : model.menu().sizes()) {
      int rental = size.rental().index();
      if (rental == label.let() || (held > 0 && rental != label.held().rental())) {
        continue;
      }
      int most = label.shrunk() ? held : relaxation.useful(group, size.rental());
      for (int count = Math.max(held, size.team()); count <= most; count++) {
        effort--;
        run.run(label.held(), group, size, count);
        if (group == model.groups() - 1) {
          finish(label, size, count);
        } else {
          pass(label, group, size, count, next);
        }
      }
    }
  }

  private void finish(Label label, Size size, int count) {
    Held end = run.release(count);
    double cost = end.costUsd() + end.timeS() * model.clockUsdPerS();
    double completionS = model.safeS(end.timeS(), end.varianceS2());
    if (front.wants(completionS, cost)) {
      front.add(draft(label, size, count, completionS, end.timeS(), cost));
    }
  }

  private Draft draft(
      Label last, Size size, int count, double completionS, double meanS, double costUsd) {
    Size[] sizes = new Size[model.groups()];
    int[] instances = new int[model.groups()];
    int group = model.groups() - 1;
    sizes[group] = size;
    instances[group] = count;
    for (Label at = last; at != null && at.size() != null; at = at.parent()) {
      group--;
      sizes[group] = at.size();
      instances[group] = at.instances();
    }
    return Draft.of(sizes, instances, completionS, meanS, costUsd);
  }

  private void pass(Label label, int group, Size size, int count, Map<Integer, List<Label>> next) {
    int rental = size.rental().index();
    if (model.menu().rentals().size() > 1) {
      Label all = child(label, run.release(count), rental, false, size, count);
      insert(all, group + 1, -1 - rental, next);
    }
    int most = Math.min(count, relaxation.useful(group + 1, size.rental()));
    for (int kept = 1; kept <= most; kept++) {
      Label some = child(label, run.release(count - kept), -1, kept < count, size, count);
      insert(some, group + 1, rental * (1 << 16) + kept, next);
    }
  }

  private static Label child(
      Label parent, Held held, int let, boolean shrunk, Size size, int count) {
    return new Label(held, let, shrunk, parent.total() + count, parent, size, count);
  }

  private void insert(Label label, int group, int node, Map<Integer, List<Label>> next) {
    Rental rental = model.menu().rentals().get(Math.max(0, label.held().rental()));
    if (isHopeless(label.held(), group)) {
      return;
    }
    List<Label> rivals = next.computeIfAbsent(node, key -> new ArrayList<>());
    effort -= rivals.size() / 8;
    for (Label rival : rivals) {
      if (dominance.holds(rival, label, rental)) {
        return;
      }
    }
    rivals.removeIf(rival -> dominance.holds(label, rival, rental));
    rivals.add(label);
  }

  /** Whether no deadline of the window can be met more cheaply by going on from here. */
  private boolean isHopeless(Held held, int group) {
    double passedS = model.safeS(held.timeS(), held.varianceS2());
    double soonestS = passedS + restS[group];
    if (soonestS > toS + Timed.SAME) {
      return true;
    }
    double spentUsd = relaxation.spentUsd(held);
    double[] values = relaxation.values(held, group);
    double untilS = toS;
    for (Draft known : front.slowestFirst(toS)) {
      checks++;
      double leastUsd = spentUsd + relaxation.leastUsd(values, untilS - passedS);
      if (untilS >= soonestS - Timed.SAME && leastUsd <= known.costUsd() + SLACK_USD) {
        return false;
      }
      untilS = known.completionS();
      if (untilS <= fromS) {
        return true;
      }
    }
    return soonestS > untilS + Timed.SAME;
  }
}
