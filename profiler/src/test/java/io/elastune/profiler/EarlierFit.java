package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.AttemptTimes.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * The estimators of the first profiler, as a baseline: the average unit time of trials, pooled
 * coefficients of variation, no instances, and a start-up that contains the spread of all units.
 */
final class EarlierFit {
  private EarlierFit() {}

  static Profile of(List<AttemptTimes> attempts) {
    Map<Integer, Map<Integer, List<Interval>>> intervals = new TreeMap<>();
    for (AttemptTimes attempt : attempts) {
      intervals
          .computeIfAbsent(attempt.size().gpus(), gpus -> new HashMap<>())
          .computeIfAbsent(attempt.trial(), trial -> new ArrayList<>())
          .addAll(attempt.intervals(false));
    }
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    intervals.forEach((gpus, trials) -> seconds.put(gpus, unitS(trials)));
    double unitCv = unitCv(intervals);
    DescriptiveStatistics startups = new DescriptiveStatistics();
    attempts.stream()
        .filter(attempt -> !attempt.cold())
        .mapToDouble(one -> one.wholeS() - one.units() * seconds.get(one.size().gpus()))
        .forEach(startup -> startups.addValue(Math.max(0, startup)));
    double mean = startups.getMean();
    return Profile.builder(
            "law", "V100", "epoch", new MeasurementOrigin(Instant.EPOCH, "earlier", 1), seconds)
        .startupS(new Spread(mean, mean > 0 ? startups.getStandardDeviation() / mean : 0))
        .trialCv(trialCv(intervals, seconds, unitCv))
        .unitCv(unitCv)
        .build();
  }

  private static double unitS(List<Interval> intervals) {
    double units = intervals.stream().mapToInt(Interval::units).sum();
    return intervals.stream().mapToDouble(Interval::seconds).sum() / units;
  }

  private static double unitS(Map<Integer, List<Interval>> trials) {
    SummaryStatistics all = new SummaryStatistics();
    trials.values().forEach(trial -> all.addValue(unitS(trial)));
    return all.getMean();
  }

  private static double unitCv(Map<Integer, Map<Integer, List<Interval>>> intervals) {
    double squares = 0;
    int freedom = 0;
    for (Map<Integer, List<Interval>> trials : intervals.values()) {
      for (List<Interval> trial : trials.values()) {
        double mean = unitS(trial);
        for (Interval one : trial) {
          squares += one.units() * Math.pow(one.unitS() / mean - 1, 2);
        }
        freedom += trial.size() - 1;
      }
    }
    return freedom == 0 ? 0 : Math.sqrt(squares / freedom);
  }

  private static double trialCv(
      Map<Integer, Map<Integer, List<Interval>>> intervals,
      Map<Integer, Double> seconds,
      double unitCv) {
    double squares = 0;
    double explained = 0;
    int freedom = 0;
    for (Map.Entry<Integer, Map<Integer, List<Interval>>> size : intervals.entrySet()) {
      int units = 0;
      for (List<Interval> trial : size.getValue().values()) {
        squares += Math.pow(unitS(trial) / seconds.get(size.getKey()) - 1, 2);
        units += trial.stream().mapToInt(Interval::units).sum();
      }
      int trials = size.getValue().size();
      freedom += trials - 1;
      explained += (trials - 1) * unitCv * unitCv * trials / units;
    }
    return freedom == 0 ? 0 : Math.sqrt(Math.max(0, (squares - explained) / freedom));
  }
}
