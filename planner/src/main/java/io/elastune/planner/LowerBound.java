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

  /** The least that all work costs, start-up included. */
  static double workUsd(ChainModel model) {
    return sum(model, group -> size -> workUsd(model, group, size));
  }

  /** The least that a group's work costs on a size, start-up included. */
  static double workUsd(ChainModel model, int group, Size size) {
    double trialsS = model.trials(group) * model.trialS(group, size);
    return trialsS * size.share() * size.rental().usdPerS();
  }

  /** The least that a group takes on a size, start-up included. */
  static double shortestS(ChainModel model, int group, Size size) {
    int atOnce = size.rental().most() / size.team() * size.perTeam();
    int waves = (model.trials(group) + atOnce - 1) / atOnce;
    return waves * model.trialS(group, size);
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
