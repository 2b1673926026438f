package io.elastune.planner;

import org.jspecify.annotations.Nullable;

/**
 * A label of the exact search: one way to reach the state {@code held} at a barrier.
 *
 * @param held the instances when the next group begins
 * @param let index of the rental that was just released completely, and cannot be requested again
 *     at once; -1 if none
 * @param shrunk whether instances were released because the next group does not need them
 * @param total instances summed over the groups before
 * @param parent the label of the group before; null at the start
 * @param size of the group before; null at the start
 * @param instances of the group before
 */
record Label(
    Held held,
    int let,
    boolean shrunk,
    int total,
    @Nullable Label parent,
    @Nullable Size size,
    int instances) {

  /** Returns a label at the start of a chain. */
  static Label beginning(Held held, int let, boolean shrunk) {
    return new Label(held, let, shrunk, 0, null, null, 0);
  }

  /** Whether the next group may run on this rental. */
  boolean mayUse(Rental rental) {
    return held.count() > 0 ? rental.index() == held.rental() : rental.index() != let;
  }

  /** Returns the label after one more group, on so many instances of a size. */
  Label next(Held after, int let, boolean shrunk, Size size, int count) {
    return new Label(after, let, shrunk, total + count, this, size, count);
  }

  /** Returns the plan that ends with one more group, on so many instances of a size. */
  Draft draft(ChainModel model, Size size, int count, Held end) {
    Size[] sizes = new Size[model.groups()];
    int[] instances = new int[model.groups()];
    int group = model.groups() - 1;
    sizes[group] = size;
    instances[group] = count;
    for (Label at = this; at != null && at.size() != null; at = at.parent()) {
      group--;
      sizes[group] = at.size();
      instances[group] = at.instances();
    }
    double costUsd = end.costUsd() + end.timeS() * model.clockUsdPerS();
    double completionS = model.safeS(end.timeS(), end.varianceS2());
    return Draft.of(sizes, instances, completionS, end.timeS(), costUsd);
  }
}
