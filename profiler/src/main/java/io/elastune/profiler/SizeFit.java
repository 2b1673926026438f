package io.elastune.profiler;

import io.elastune.profiler.AttemptTimes.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * The unit time of trials of one size, fitted to their attempts. The times between two reports of
 * one attempt have no start-up. If no attempt reported twice, the durations of attempts of
 * different length are fitted with a line: its slope is the unit time. If their lengths do not
 * differ enough, start-up is unknown, and the unit time includes it.
 *
 * @param size the trials' GPUs
 * @param unitS mean seconds per unit
 * @param separated whether start-up is not part of {@code unitS}
 * @param units measured units
 * @param steadyState from where on the attempts have a steady speed
 * @param slope the unit time by the durations of whole attempts, if more than two determine it
 * @param trials the trials with their own unit times; empty if start-up is not separated by reports
 * @param attempts all attempts of this size
 */
record SizeFit(
    TrialSize size,
    double unitS,
    boolean separated,
    int units,
    SteadyState steadyState,
    Optional<NumberEstimate> slope,
    List<TrialFit> trials,
    List<AttemptTimes> attempts) {
  /** Attempts must differ in length by this factor to separate start-up from training. */
  private static final int SEPARABLE = 2;

  /** Slope and intercept. */
  private static final int LINE_PARAMETERS = 2;

  /** A trial on the same instances. */
  private record Place(int trial, List<String> leases) {
    static Place of(AttemptTimes attempt) {
      return new Place(attempt.trial(), attempt.leases());
    }
  }

  /**
   * The unit time of one trial on the same instances, and its intervals of at least a tenth of a
   * second.
   */
  record TrialFit(
      int trial, List<String> leases, double unitS, int units, List<Interval> intervals) {
    private static TrialFit of(Place place, List<Interval> all) {
      int units = all.stream().mapToInt(Interval::units).sum();
      double seconds = all.stream().mapToDouble(Interval::seconds).sum();
      return new TrialFit(
          place.trial(), place.leases(), seconds / units, units, MergedIntervals.of(all));
    }

    /**
     * Returns the sum of squared relative deviations of single units. An interval of several units
     * varies less: its squared deviation counts once per unit.
     */
    double squares() {
      return intervals.stream()
          .mapToDouble(one -> one.units() * Math.pow(one.unitS() / unitS - 1, 2))
          .sum();
    }

    int freedom() {
      return Math.max(0, intervals.size() - 1);
    }
  }

  /**
   * The seconds per unit of a trial, as its hyperparameters may explain them.
   *
   * @param counted whether the seconds per unit of all trials are a mean of it and others
   */
  record ComparedTrial(int trial, double unitS, int units, boolean counted) {
    private static ComparedTrial of(TrialFit fit) {
      return new ComparedTrial(fit.trial(), fit.unitS(), fit.units(), true);
    }

    private static ComparedTrial of(AttemptTimes whole, boolean counted) {
      return new ComparedTrial(
          whole.trial(), whole.wholeS() / whole.wholeUnits(), whole.wholeUnits(), counted);
    }
  }

  static SizeFit of(TrialSize size, List<AttemptTimes> attempts) {
    boolean withLast = attempts.stream().allMatch(one -> one.intervals(false).isEmpty());
    SteadyState steadyState = SteadyState.of(attempts);
    Map<Place, List<Interval>> byPlace = new LinkedHashMap<>();
    for (AttemptTimes attempt : attempts) {
      byPlace
          .computeIfAbsent(Place.of(attempt), place -> new ArrayList<>())
          .addAll(steadyState.steady(attempt.intervals(withLast)));
    }
    List<TrialFit> trials =
        byPlace.entrySet().stream()
            .filter(entry -> !entry.getValue().isEmpty())
            .map(entry -> TrialFit.of(entry.getKey(), entry.getValue()))
            .toList();
    if (trials.isEmpty()) {
      return ofWholeAttempts(size, attempts);
    }
    double unitS = trials.stream().mapToDouble(TrialFit::unitS).average().orElseThrow();
    int units = trials.stream().mapToInt(TrialFit::units).sum();
    return new SizeFit(size, unitS, true, units, steadyState, Optional.empty(), trials, attempts);
  }

  /**
   * Returns the trials whose times can be compared: those with reports between which only units
   * lie, or all if start-up is part of the time per unit.
   */
  List<ComparedTrial> compared() {
    if (separated) {
      return trials.stream().map(ComparedTrial::of).toList();
    }
    List<AttemptTimes> warm = warm(attempts);
    return attempts.stream().map(one -> ComparedTrial.of(one, warm.contains(one))).toList();
  }

  private static SizeFit ofWholeAttempts(TrialSize size, List<AttemptTimes> attempts) {
    List<AttemptTimes> warm = warm(attempts);
    SizeFit fit = ofLengths(size, warm, attempts);
    SizeFit withCold = ofLengths(size, attempts, attempts);
    return fit.separated() || !withCold.separated() ? fit : withCold;
  }

  /** Returns those attempts that did not load everything for the first time, or all. */
  private static List<AttemptTimes> warm(List<AttemptTimes> attempts) {
    List<AttemptTimes> warm = attempts.stream().filter(one -> !one.cold()).toList();
    return warm.isEmpty() ? attempts : warm;
  }

  private static SizeFit ofLengths(
      TrialSize size, List<AttemptTimes> some, List<AttemptTimes> all) {
    ToIntFunction<AttemptTimes> length = AttemptTimes::wholeUnits;
    int units = some.stream().mapToInt(length).sum();
    int shortest = some.stream().mapToInt(length).min().orElseThrow();
    int longest = some.stream().mapToInt(length).max().orElseThrow();
    double mean = some.stream().mapToDouble(AttemptTimes::wholeS).sum() / units;
    SimpleRegression line = new SimpleRegression();
    some.forEach(one -> line.addData(one.wholeUnits(), one.wholeS()));
    boolean separated = longest >= SEPARABLE * shortest && line.getSlope() > 0;
    boolean isLine = separated && line.getIntercept() > 0;
    Optional<NumberEstimate> slope =
        isLine && some.size() > LINE_PARAMETERS
            ? Optional.of(slope(line, some.size()))
            : Optional.empty();
    double unitS = isLine ? line.getSlope() : mean;
    return new SizeFit(size, unitS, separated, units, SteadyState.AT_ONCE, slope, List.of(), all);
  }

  private static NumberEstimate slope(SimpleRegression line, int count) {
    return NumberEstimate.student(
        line.getSlope(), line.getSlopeStdErr(), count - LINE_PARAMETERS, count);
  }

  /**
   * Returns the unit time by whole attempts, with their start-up, if nothing separates it; empty
   * for a single attempt.
   */
  Optional<NumberEstimate> wholeMean() {
    List<Double> values =
        warm(attempts).stream().map(one -> one.wholeS() / one.wholeUnits()).toList();
    return separated || values.size() < 2
        ? Optional.empty()
        : Optional.of(NumberEstimate.logNormalMean(values));
  }

  /** Returns the unit time if each attempt has a start-up of {@code startupS} seconds. */
  double unitS(double startupS) {
    List<AttemptTimes> warm = warm(attempts);
    double units = warm.stream().mapToInt(AttemptTimes::wholeUnits).sum();
    double seconds = warm.stream().mapToDouble(AttemptTimes::wholeS).sum();
    double training = seconds - warm.size() * startupS;
    return training > 0 ? training / units : seconds / units;
  }

  /** Returns the start-ups of the attempts that loaded everything for the first time, or others. */
  List<MeasuredStartup> startups(boolean cold) {
    return attempts.stream().filter(one -> one.cold() == cold).map(this::startup).toList();
  }

  private MeasuredStartup startup(AttemptTimes attempt) {
    double own =
        trials.stream()
            .filter(one -> one.trial() == attempt.trial() && one.leases().equals(attempt.leases()))
            .mapToDouble(TrialFit::unitS)
            .findFirst()
            .orElse(unitS);
    double warmUpS = steadyState.warmUpS(attempt, own);
    return new MeasuredStartup(
        attempt.startupS(own) + warmUpS,
        warmUpS,
        attempt.reported(),
        attempt.unmeasuredUnits() * own * own);
  }
}
