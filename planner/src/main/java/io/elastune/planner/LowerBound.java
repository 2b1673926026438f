package io.elastune.planner;

import java.util.function.ToDoubleFunction;

/** What no plan can be below, in the mean (issue 4: the baseline {@code lower-bound}). */
final class LowerBound {
  private LowerBound() {}

  /** Every unit at the cheapest USD per unit of any legal size and offer. */
  static double unitsUsd(ChainModel model) {
    return sum(
        model,
        group ->
            size ->
                model.trials(group)
                    * model.workS(group, size)
                    * size.share()
                    * size.rental().usdPerS());
  }

  /** Every unit at the fastest, in as few waves as the instances allow. */
  static double shortestS(ChainModel model) {
    return sum(
        model,
        group ->
            size -> {
              int atOnce = size.rental().most() / size.team() * size.perTeam();
              int waves = (model.trials(group) + atOnce - 1) / atOnce;
              return waves * model.workS(group, size);
            });
  }

  private static double sum(ChainModel model, ByGroup quantity) {
    double sum = 0;
    for (int group = 0; group < model.groups(); group++) {
      ToDoubleFunction<Size> ofSize = quantity.of(group);
      sum += model.menu().sizes().stream().mapToDouble(ofSize).min().orElseThrow();
    }
    return sum;
  }

  /** A quantity of each size, by group. */
  private interface ByGroup {
    ToDoubleFunction<Size> of(int group);
  }
}
