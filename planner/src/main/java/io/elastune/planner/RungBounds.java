package io.elastune.planner;

import io.elastune.core.plan.RungRule;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import java.util.function.IntToDoubleFunction;

/**
 * Bounds the cost and the completion time of a search made of rungs: the work of the tasks that no
 * order of trials avoids, and the boot of one instance (docs/searches.md, "The planner").
 */
final class RungBounds {
  private final RungRule rule;
  private final ChoiceSet choiceSet;
  private final RungChoices choices;

  RungBounds(RungRule rule, ChoiceSet choiceSet, RungChoices choices) {
    this.rule = rule;
    this.choiceSet = choiceSet;
    this.choices = choices;
  }

  /** Returns a lower bound of the mean cost of any plan in USD. */
  double leastUsd() {
    return choiceSet.offerChoices().stream().mapToDouble(this::leastUsd).min().orElse(0);
  }

  private double leastUsd(OfferChoice offer) {
    double gpuS = 0;
    int tasks = rule.trained().isPresent() ? rule.trained().getAsInt() : rule.trials();
    for (int rung = 0; rung <= rule.lastRung(); rung++) {
      gpuS += tasks * least(offer, rung, gpus -> gpus);
      tasks = rule.trained().isPresent() ? tasks : tasks / rule.eta();
    }
    return gpuS * offer.usdPerS() / offer.offer().gpus() + offer.newInstanceUsd();
  }

  /** Returns a lower bound of the mean completion time of any plan in seconds. */
  double shortestS() {
    return choiceSet.offerChoices().stream()
        .mapToDouble(offer -> offer.readyAfterS() + pathS(offer))
        .min()
        .orElse(0);
  }

  /** The tasks that one trial runs one after another, if it is trained to the end. */
  private double pathS(OfferChoice offer) {
    boolean isTrained = rule.finishBest() || rule.trained().isPresent();
    double seconds = 0;
    for (int rung = 0; rung <= (isTrained ? rule.lastRung() : 0); rung++) {
      seconds += least(offer, rung, gpus -> 1) * (rung > 0 && rule.fromScratch() ? 0 : 1);
    }
    return seconds;
  }

  /** The least product of a weight and the seconds of a task, over all sizes of a trial. */
  private double least(OfferChoice offer, int rung, IntToDoubleFunction weight) {
    double startupS = rung > 0 && rule.isStopping() ? 0 : offer.profile().startupS().mean();
    int units =
        rule.isStopping() && rung > 0
            ? rule.target(rung) - rule.target(rung - 1)
            : rule.units(rung);
    return choices.sizes(offer).stream()
        .mapToDouble(
            gpus ->
                weight.applyAsDouble(gpus)
                    * (startupS + units * offer.profile().secondsPerUnit(gpus).orElseThrow()))
        .min()
        .orElse(0);
  }
}
