package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.LearningCurves;
import io.elastune.simulator.rank.CurveRules;
import java.util.Arrays;
import java.util.List;

/**
 * The factors {@code X} of the trials of a group with learning curves: recorded seconds do not
 * vary, and the units without them do.
 */
public final class CurveDraws implements DrawDistribution {
  private final DrawDistribution base;
  private final double[] recorded;
  private final double[] others;

  /**
   * @param base the distribution of units without recorded seconds
   * @param work how long each trial of the group is trained; fewer if trials without a metric leave
   *     places of the group empty, which {@link CurveRules} reports
   * @param trials trials of the group
   * @param units units of the group
   * @param oneGpuUnitS seconds per unit on one GPU in the profile
   */
  public CurveDraws(
      DrawDistribution base,
      List<LearningCurves.Work> work,
      int trials,
      int units,
      double oneGpuUnitS) {
    this.base = base;
    this.recorded = new double[trials];
    this.others = new double[trials];
    Arrays.fill(others, 1);
    for (int trial = 0; trial < work.size(); trial++) {
      LearningCurves.Work one = work.get(trial);
      recorded[trial] = one.recordedS() == 0 ? 0 : one.recordedS() / oneGpuUnitS / units;
      others[trial] = one.otherUnits() / units;
    }
  }

  @Override
  public double mean() {
    return Arrays.stream(recorded).average().orElseThrow()
        + Arrays.stream(others).average().orElseThrow() * base.mean();
  }

  @Override
  public boolean varies() {
    return base.varies();
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    return open(streams, 0);
  }

  @Override
  public DrawSource open(RandomStreams streams, int block) {
    DrawSource drawn = base.open(streams, block);
    return (into, from, count) -> {
      drawn.fill(into, from, count);
      for (int i = 0; i < count; i++) {
        int trial = i % recorded.length;
        into[from + i] = recorded[trial] + others[trial] * into[from + i];
      }
    };
  }
}
