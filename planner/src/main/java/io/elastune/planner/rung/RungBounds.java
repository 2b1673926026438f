package io.elastune.planner.rung;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Bounds the cost and the completion time of a search made of rungs: the work of the tasks that no
 * order of trials avoids, and the boot of one instance (docs/searches.md, "The planner").
 */
final class RungBounds {
  private final RungRule rule;
  private final BracketShares shares;
  private final ChoiceSet choiceSet;
  private final Function<OfferChoice, List<Integer>> gpus;

  /**
   * @param gpus returns the GPUs per trial that are legal on an offer
   */
  RungBounds(RungRule rule, ChoiceSet choiceSet, Function<OfferChoice, List<Integer>> gpus) {
    this.rule = rule;
    this.shares = rule.shares();
    this.choiceSet = choiceSet;
    this.gpus = gpus;
  }

  /** Returns a lower bound of the mean cost of any plan in USD. */
  double leastUsd() {
    return offers().mapToDouble(this::leastUsd).min().orElse(0);
  }

  /** The offers on which trials have a legal size. */
  private Stream<OfferChoice> offers() {
    return choiceSet.offerChoices().stream().filter(offer -> !gpus.apply(offer).isEmpty());
  }

  private double leastUsd(OfferChoice offer) {
    double gpuS =
        rule.trained().isPresent()
            ? rule.trained().getAsInt()
                * brackets()
                    .mapToDouble(bracket -> pathS(offer, bracket, rule.lastRung(), gpus -> gpus))
                    .min()
                    .orElse(0)
            : brackets().mapToDouble(bracket -> leastGpuS(sizes(offer), bracket, bracket)).sum();
    return gpuS * offer.usdPerS() / offer.offer().gpus() + offer.newInstanceUsd();
  }

  /** Returns a lower bound of the mean completion time of a static cluster in seconds. */
  double staticS(RungCandidate cluster) {
    OfferChoice offer = cluster.offer();
    return offer.firstReadyAfterS(cluster.open()) + leastBusyS(cluster) / cluster.open();
  }

  /** Returns a lower bound of the mean cost of a static cluster in USD. */
  double staticUsd(RungCandidate cluster) {
    return cluster.offer().leastHeldUsd(cluster.open(), leastBusyS(cluster));
  }

  /**
   * Returns a lower bound of the mean seconds, summed over the instances, in which trials run. All
   * first tasks have the GPUs of the phase open, and later ones those of either phase.
   */
  private double leastBusyS(RungCandidate cluster) {
    if (rule.trained().isPresent() || rule.time().isPresent()) {
      return 0; // how many trials start is unknown
    }
    OfferChoice offer = cluster.offer();
    double speed = offer.meanSpeed();
    // Start-ups take equally long on all instances, so they count only if instances are equal.
    double startupS = speed > 1 ? 0 : offer.profile().startupS().mean();
    Sizes first = new Sizes(offer, List.of(cluster.openGpus()), startupS);
    Sizes any = new Sizes(offer, List.of(cluster.openGpus(), cluster.closingGpus()), startupS);
    int perInstance = offer.offer().gpus() / cluster.openGpus();
    double mostSavedS = 0;
    double busyS = 0;
    for (int bracket : brackets().toArray()) {
      int trials = shares.trials(bracket, rule.trials());
      double firstS = least(first, bracket, bracket, gpus -> 1) / perInstance;
      double leastS = least(any, bracket, bracket, gpus -> gpus) / offer.offer().gpus();
      mostSavedS = Math.max(mostSavedS, firstS - leastS);
      busyS += trials * firstS + leastGpuS(any, bracket, bracket + 1) / offer.offer().gpus();
    }
    // After a fault, first tasks that run when the phase closing begins may have its GPUs.
    int running = Math.min(rule.trials(), cluster.open() * perInstance);
    return Math.max(0, busyS - (offer.hasFaults() ? running * mostSavedS : 0)) / speed;
  }

  /**
   * Returns the least work of the tasks of a bracket whose trials are all started, from a rung on.
   */
  private double leastGpuS(Sizes sizes, int bracket, int fromRung) {
    double gpuS = 0;
    int tasks = shares.trials(bracket, rule.trials());
    for (int rung = bracket; rung <= rule.lastRung(); rung++) {
      gpuS += rung < fromRung ? 0 : tasks * least(sizes, bracket, rung, gpus -> gpus);
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
  double shortestS() {
    return offers().mapToDouble(offer -> offer.readyAfterS() + shortestS(offer)).min().orElse(0);
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
    Sizes sizes = sizes(offer);
    double seconds = 0;
    for (int rung = bracket; rung <= lastRung; rung++) {
      seconds += least(sizes, bracket, rung, weight);
    }
    return seconds;
  }

  /**
   * The GPUs that a task may have on an offer.
   *
   * @param startupS seconds before its first unit
   */
  private record Sizes(OfferChoice offer, List<Integer> gpus, double startupS) {}

  private Sizes sizes(OfferChoice offer) {
    return new Sizes(offer, gpus.apply(offer), offer.profile().startupS().mean());
  }

  /** The least product of a weight and the seconds of a task, over some sizes of a trial. */
  private double least(Sizes sizes, int bracket, int rung, IntToDoubleFunction weight) {
    boolean continues = rung > bracket && rule.isStopping();
    boolean mayWait = rung > bracket && choiceSet.keepAlive();
    double startupS = continues || mayWait ? 0 : sizes.startupS();
    int from = continues ? rule.target(rung - 1) : rule.fromUnit(bracket, rung);
    int units = rule.target(rung) - from;
    double least = Double.POSITIVE_INFINITY;
    for (int gpus : sizes.gpus()) {
      double unitS = sizes.offer().profile().secondsPerUnit(gpus).orElseThrow();
      least = Math.min(least, weight.applyAsDouble(gpus) * (startupS + units * unitS));
    }
    return least;
  }
}
