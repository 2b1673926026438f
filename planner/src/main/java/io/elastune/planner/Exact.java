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
  private final ChainModel model;
  private final GroupRun run;
  private final RestBound rest;
  private final Front<Draft> front;
  private final int[][] useful;
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
   * @param effort runs of a group, or comparisons of labels, that may be spent
   */
  Exact(ChainModel model, Front<Draft> known, long effort) {
    this.model = model;
    this.run = new GroupRun(model);
    this.rest = new RestBound(model);
    this.front = known;
    this.effort = effort;
    this.useful = usefulInstances(model);
  }

  /**
   * More instances than all trials at once could fill, now or in any later group, are of no use.
   */
  private static int[][] usefulInstances(ChainModel model) {
    int[][] useful = new int[model.groups() + 1][model.menu().rentals().size()];
    for (int group = model.groups() - 1; group >= 0; group--) {
      useful[group] = useful[group + 1].clone();
      for (Size size : model.menu().sizes()) {
        int room = Math.min(size.roomFor(model.trials(group)), size.rental().most());
        int rental = size.rental().index();
        useful[group][rental] = Math.max(useful[group][rental], room);
      }
    }
    return useful;
  }

  /** Searches; false if the effort was spent before the end, and nothing is proven. */
  boolean search() {
    List<Label> labels = List.of(new Label(Held.NOTHING, -1, false, 0, null, null, 0));
    for (int group = 0; group < model.groups(); group++) {
      Map<Integer, List<Label>> next = new HashMap<>();
      for (Label label : labels) {
        expand(label, group, next);
        if (effort < 0) {
          return false;
        }
      }
      labels = next.values().stream().flatMap(List::stream).toList();
    }
    return true;
  }

  private void expand(Label label, int group, Map<Integer, List<Label>> next) {
    int held = label.held().count();
    for (Size size : model.menu().sizes()) {
      int rental = size.rental().index();
      if (rental == label.let() || (held > 0 && rental != label.held().rental())) {
        continue;
      }
      int most = label.shrunk() ? held : useful[group][rental];
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
    if (front.wants(end.timeS(), cost)) {
      front.add(draft(label, size, count, end.timeS(), cost));
    }
  }

  private Draft draft(Label last, Size size, int count, double completionS, double costUsd) {
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
    return Draft.of(sizes, instances, completionS, costUsd);
  }

  private void pass(Label label, int group, Size size, int count, Map<Integer, List<Label>> next) {
    int rental = size.rental().index();
    if (model.menu().rentals().size() > 1) {
      Label all = child(label, run.release(count), rental, false, size, count);
      insert(all, group + 1, -1 - rental, next);
    }
    int most = Math.min(count, useful[group + 1][rental]);
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
    if (rest.hopeless(label.held(), rental, group, front)) {
      return;
    }
    List<Label> rivals = next.computeIfAbsent(node, key -> new ArrayList<>());
    effort -= rivals.size() / 8;
    for (Label rival : rivals) {
      if (Dominance.holds(rival, label, rental)) {
        return;
      }
    }
    rivals.removeIf(rival -> Dominance.holds(label, rival, rental));
    rivals.add(label);
  }
}
