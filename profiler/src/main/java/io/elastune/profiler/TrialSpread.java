package io.elastune.profiler;

import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Straggler;
import io.elastune.profiler.SizeFit.TrialFit;
import io.elastune.profiler.StragglerFit.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.stat.StatUtils;

/** The spread of trials: its coefficient of variation, and stragglers if the trials show some. */
final class TrialSpread {
  /** With fewer trials, a slow instance cannot be distinguished from slow trials. */
  private static final int LEAST_TRIALS_ON_INSTANCE = 5;

  private final VarianceComponents components;
  private final boolean known;
  private final StragglerFit fit;
  private final int trials;
  private final double unitVariance;

  TrialSpread(List<SizeFit> sizes, SpreadLikelihood likelihood, VarianceComponents components) {
    this.components = components;
    known = likelihood.freedom(SpreadLikelihood.TRIAL) > 0;
    List<Double> durations = durations(sizes);
    trials = durations.size();
    fit = StragglerFit.of(durations);
    double unit = components.cv(SpreadLikelihood.UNIT);
    unitVariance =
        sizes.stream()
            .flatMap(size -> size.trials().stream())
            .mapToDouble(trial -> unit * unit / trial.units())
            .average()
            .orElse(0);
  }

  /** Returns the unit time of each trial, relative to its size and to its instance. */
  private static List<Double> durations(List<SizeFit> sizes) {
    Map<String, List<Double>> byInstance = new TreeMap<>();
    for (SizeFit size : sizes) {
      for (TrialFit trial : size.trials()) {
        byInstance
            .computeIfAbsent(String.join(" ", trial.leases()), lease -> new ArrayList<>())
            .add(trial.unitS() / size.unitS());
      }
    }
    List<Double> durations = new ArrayList<>();
    for (List<Double> onInstance : byInstance.values()) {
      double typical =
          onInstance.size() < LEAST_TRIALS_ON_INSTANCE
              ? 1
              : StatUtils.percentile(onInstance.stream().mapToDouble(d -> d).toArray(), 50);
      onInstance.forEach(one -> durations.add(one / typical));
    }
    return durations;
  }

  /** Returns the coefficient of variation of trials, without stragglers. */
  double cv() {
    return fit.model() == Model.MIXTURE
        ? Math.sqrt(Math.max(0, fit.usualVariance() - unitVariance))
        : components.cv(SpreadLikelihood.TRIAL);
  }

  Straggler straggler() {
    return fit.straggler();
  }

  /** Returns the relative durations, if they are not log-normal; otherwise none. */
  List<Double> samples() {
    return fit.samples();
  }

  /** Returns the numbers with their accuracy. */
  List<MeasuredNumber> numbers() {
    if (fit.model() != Model.MIXTURE) {
      return known
          ? List.of(components.estimate(SpreadLikelihood.TRIAL).named("trial_cv"))
          : List.of();
    }
    double probability = fit.straggler().probability();
    double slow = probability * trials;
    double logError = Math.sqrt(fit.usualVariance() * (1 / slow + 1 / (trials - slow)));
    return List.of(
        NumberEstimate.deviation(cv(), trials - 2).named("trial_cv"),
        NumberEstimate.fraction(slow, trials).named("straggler.probability"),
        NumberEstimate.logNormal(fit.straggler().slowdown(), logError, trials)
            .named("straggler.slowdown"));
  }
}
