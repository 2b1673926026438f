package io.elastune.profiler;

import io.elastune.profiler.AttemptTimes.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * The unit time of trials of one size, fitted to their attempts. The times between two reports of
 * one attempt have no start-up. If no attempt reported twice, the durations of attempts of
 * different length are fitted with a line: its slope is the unit time. If their lengths do not
 * differ enough, start-up is unknown, and the unit time includes it.
 *
 * @param gpus the trials' GPUs
 * @param unitS mean seconds per unit
 * @param separated whether start-up is not part of {@code unitS}
 * @param units measured units
 * @param trials the trials with their own unit times; empty if start-up is not separated by reports
 * @param attempts all attempts of this size
 */
record SizeFit(
    int gpus,
    double unitS,
    boolean separated,
    int units,
    List<TrialFit> trials,
    List<AttemptTimes> attempts) {
  /** Attempts must differ in length by this factor to separate start-up from training. */
  private static final int SEPARABLE = 2;

  /**
   * Intervals between reports are merged until they last this long: the variation of shorter ones
   * is that of the clock and of the operating system.
   */
  private static final double SHORTEST_INTERVAL_S = 0.1;

  /** The unit time of one trial, and its intervals of at least a tenth of a second. */
  record TrialFit(double unitS, int units, List<Interval> intervals) {
    static TrialFit of(List<Interval> all) {
      int units = all.stream().mapToInt(Interval::units).sum();
      double seconds = all.stream().mapToDouble(Interval::seconds).sum();
      return new TrialFit(seconds / units, units, merged(all));
    }

    private static List<Interval> merged(List<Interval> all) {
      List<Interval> merged = new ArrayList<>();
      int units = 0;
      double seconds = 0;
      for (Interval interval : all) {
        units += interval.units();
        seconds += interval.seconds();
        if (seconds >= SHORTEST_INTERVAL_S) {
          merged.add(new Interval(units, seconds));
          units = 0;
          seconds = 0;
        }
      }
      return merged;
    }
  }

  static SizeFit of(int gpus, List<AttemptTimes> attempts) {
    boolean withLast = attempts.stream().allMatch(one -> one.intervals(false).isEmpty());
    Map<Integer, List<Interval>> byTrial = new TreeMap<>();
    for (AttemptTimes attempt : attempts) {
      byTrial
          .computeIfAbsent(attempt.trial(), trial -> new ArrayList<>())
          .addAll(attempt.intervals(withLast));
    }
    List<TrialFit> trials =
        byTrial.values().stream().filter(all -> !all.isEmpty()).map(TrialFit::of).toList();
    if (trials.isEmpty()) {
      return ofWholeAttempts(gpus, attempts);
    }
    double unitS = trials.stream().mapToDouble(TrialFit::unitS).average().orElseThrow();
    int units = trials.stream().mapToInt(TrialFit::units).sum();
    return new SizeFit(gpus, unitS, true, units, trials, attempts);
  }

  private static SizeFit ofWholeAttempts(int gpus, List<AttemptTimes> attempts) {
    List<AttemptTimes> warm = warm(attempts);
    SizeFit fit = ofLengths(gpus, warm, attempts);
    SizeFit withCold = ofLengths(gpus, attempts, attempts);
    return fit.separated() || !withCold.separated() ? fit : withCold;
  }

  /** Returns those attempts that did not load everything for the first time, or all. */
  private static List<AttemptTimes> warm(List<AttemptTimes> attempts) {
    List<AttemptTimes> warm = attempts.stream().filter(one -> !one.cold()).toList();
    return warm.isEmpty() ? attempts : warm;
  }

  private static SizeFit ofLengths(int gpus, List<AttemptTimes> some, List<AttemptTimes> all) {
    ToIntFunction<AttemptTimes> length = AttemptTimes::wholeUnits;
    int units = some.stream().mapToInt(length).sum();
    int shortest = some.stream().mapToInt(length).min().orElseThrow();
    int longest = some.stream().mapToInt(length).max().orElseThrow();
    double mean = some.stream().mapToDouble(AttemptTimes::wholeS).sum() / units;
    SimpleRegression line = new SimpleRegression();
    some.forEach(one -> line.addData(one.wholeUnits(), one.wholeS()));
    boolean separated = longest >= SEPARABLE * shortest && line.getSlope() > 0;
    double slope = separated && line.getIntercept() > 0 ? line.getSlope() : mean;
    return new SizeFit(gpus, slope, separated, units, List.of(), all);
  }

  /** Returns the unit time if each attempt has a start-up of {@code startupS} seconds. */
  double unitS(double startupS) {
    List<AttemptTimes> warm = warm(attempts);
    double units = warm.stream().mapToInt(AttemptTimes::wholeUnits).sum();
    double seconds = warm.stream().mapToDouble(AttemptTimes::wholeS).sum();
    double training = seconds - warm.size() * startupS;
    return training > 0 ? training / units : seconds / units;
  }

  /** Returns the start-up of the attempts that loaded everything for the first time, or others. */
  List<Double> startupsS(boolean cold) {
    return attempts.stream()
        .filter(one -> one.cold() == cold)
        .map(one -> one.startupS(unitS))
        .toList();
  }
}
