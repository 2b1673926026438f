package io.elastune.simulator;

import io.elastune.core.job.Metric;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.LearningCurves;
import io.elastune.simulator.rank.RankModel;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Random searches that end at a target, with learning curves. */
final class KnownTargets {
  private KnownTargets() {}

  /** Returns a search that ends at a metric, which some of the trials below reach. */
  static Workload of(Workload workload, long seed) {
    return workload.withTarget(OptionalDouble.of(new Random(seed).nextDouble()));
  }

  /** Returns the curves of the trials of a problem: they rise to different metrics up to 1. */
  static RankModel ranks(Problem problem) {
    int units =
        problem.workload().groups().stream().mapToInt(TrialGroup::toUnit).max().orElseThrow();
    SortedMap<Integer, NavigableMap<Integer, LearningCurves.Point>> points = new TreeMap<>();
    for (int trial = 1; trial <= problem.workload().trials(); trial++) {
      double most = new Random(trial).nextDouble();
      NavigableMap<Integer, LearningCurves.Point> curve = new TreeMap<>();
      for (int unit = 1; unit <= units; unit++) {
        double metric = most * Math.sqrt((double) unit / units);
        curve.put(unit, new LearningCurves.Point(metric, OptionalDouble.empty()));
      }
      points.put(trial, curve);
    }
    return RankModel.recorded(new LearningCurves(Metric.Goal.MAXIMIZE, points));
  }
}
