package io.elastune.planner;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Bounds the cost and the completion time of a search made of rungs: the work of the tasks that no
 * order of trials avoids, and the boot of one instance (docs/searches.md, "The planner").
 */
final class RungBounds implements WorkBounds {
  private final RungRule rule;
  private final BracketShares shares;
  private final ChoiceSet choiceSet;
  private final RungChoices choices;

  RungBounds(RungRule rule, ChoiceSet choiceSet, RungChoices choices) {
    this.rule = rule;
    this.shares = rule.shares();
    this.choiceSet = choiceSet;
    this.choices = choices;
  }

  /** Returns a lower bound of the mean cost of any plan in USD. */
  @Override
  public double leastUsd() {
    return choiceSet.offerChoices().stream().mapToDouble(this::leastUsd).min().orElse(0);
  }

  private double leastUsd(OfferChoice offer) {
    double gpuS =
        rule.trained().isPresent()
            ? rule.trained().getAsInt()
                * brackets()
                    .mapToDouble(bracket -> pathS(offer, bracket, rule.lastRung(), gpus -> gpus))
                    .min()
                    .orElse(0)
            : brackets().mapToDouble(bracket -> leastGpuS(offer, bracket)).sum();
    return gpuS * offer.usdPerS() / offer.offer().gpus() + offer.newInstanceUsd();
  }

  /** Returns a lower bound of the mean completion time of a static cluster in seconds. */
  double staticS(RungCandidate cluster) {
    OfferChoice offer = cluster.offer();
    if (rule.trained().isPresent() || rule.time().isPresent()) {
      return offer.readyAfterS(); // how many trials start is unknown
    }
    double unitS = offer.profile().secondsPerUnit(cluster.openGpus()).orElseThrow();
    double startupS = offer.profile().startupS().mean();
    double workS =
        brackets()
            .mapToDouble(
                bracket ->
                    shares.trials(bracket, rule.trials())
                        * (startupS + rule.target(bracket) * unitS))
            .sum();
    int slots = cluster.open() * (offer.offer().gpus() / cluster.openGpus());
    return offer.readyAfterS() + workS / slots;
  }

  /** Returns a lower bound of the mean cost of a static cluster in USD. */
  double staticUsd(RungCandidate cluster) {
    OfferChoice offer = cluster.offer();
    double heldS = offer.billedByUse() ? 0 : staticS(cluster) - offer.readyAfterS();
    return cluster.open() * (heldS * offer.usdPerS() + offer.newInstanceUsd());
  }

  /** The least work of a bracket whose trials are all started. */
  private double leastGpuS(OfferChoice offer, int bracket) {
    double gpuS = 0;
    int tasks = shares.trials(bracket, rule.trials());
    for (int rung = bracket; rung <= rule.lastRung(); rung++) {
      gpuS += tasks * least(offer, bracket, rung, gpus -> gpus);
      // With stopping, only the first trial of a rung passes it if the best ones arrive first.
      tasks = rule.isStopping() ? Math.min(1, tasks) : tasks / rule.eta();
    }
    return gpuS;
  }

  /** The brackets that have trials. */
  private IntStream brackets() {
    return IntStream.range(0, rule.brackets())
        .filter(bracket -> shares.trials(bracket, rule.trials()) > 0);
  }

  /** Returns a lower bound of the mean completion time of any plan in seconds. */
  @Override
  public double shortestS() {
    return choiceSet.offerChoices().stream()
        .mapToDouble(offer -> offer.readyAfterS() + shortestS(offer))
        .min()
        .orElse(0);
  }

  private double shortestS(OfferChoice offer) {
    double trainedS =
        brackets()
            .mapToDouble(
                bracket ->
                    pathS(
                        offer, bracket, rule.fromScratch() ? bracket : rule.lastRung(), gpus -> 1))
            .min()
            .orElse(0);
    double startedS =
        brackets()
            .mapToDouble(bracket -> pathS(offer, bracket, bracket, gpus -> 1))
            .max()
            .orElse(0);
    boolean isTrained = rule.finishBest() || rule.trained().isPresent();
    return Math.max(isTrained ? trainedS : 0, rule.trained().isPresent() ? 0 : startedS);
  }

  /** The tasks that one trial of a bracket runs one after another up to a rung. */
  private double pathS(OfferChoice offer, int bracket, int lastRung, IntToDoubleFunction weight) {
    double seconds = 0;
    for (int rung = bracket; rung <= lastRung; rung++) {
      seconds += least(offer, bracket, rung, weight);
    }
    return seconds;
  }

  /** The least product of a weight and the seconds of a task, over all sizes of a trial. */
  private double least(OfferChoice offer, int bracket, int rung, IntToDoubleFunction weight) {
    boolean continues = rung > bracket && rule.isStopping();
    double startupS = continues ? 0 : offer.profile().startupS().mean();
    int from = continues ? rule.target(rung - 1) : rule.fromUnit(bracket, rung);
    int units = rule.target(rung) - from;
    return choices.sizes(offer).stream()
        .mapToDouble(
            gpus ->
                weight.applyAsDouble(gpus)
                    * (startupS + units * offer.profile().secondsPerUnit(gpus).orElseThrow()))
        .min()
        .orElse(0);
  }
}
