package io.elastune.profiler;

import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.CheckpointMeasurement.Sampled;
import io.elastune.executor.engine.CheckpointTimes;
import io.elastune.profiler.AttemptTimes.Interval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * What was measured of checkpoints. The engine measures sizes and transfers. The time in which a
 * trial writes its last checkpoint is what its last unit takes in addition to the others.
 */
final class CheckpointFit {
  private static final double BYTES_PER_GB = 1e9;

  /** Fewer differences, or less certain ones, are the variation of the units. */
  private static final int LEAST_SAMPLES = 3;

  private static final double CERTAIN = 2;

  private CheckpointFit() {}

  static CheckpointMeasurement of(Collection<CheckpointTimes> times, List<SizeFit> sizes) {
    return new CheckpointMeasurement(
        sampled(times.stream().flatMapToDouble(CheckpointFit::sizeGb)),
        saveS(sizes),
        sampled(times.stream().flatMapToDouble(one -> one.storeS().stream())),
        sampled(times.stream().flatMapToDouble(one -> one.restoreS().stream())));
  }

  private static DoubleStream sizeGb(CheckpointTimes times) {
    return times.bytes().stream().mapToDouble(bytes -> bytes / BYTES_PER_GB);
  }

  private static Optional<Sampled> saveS(List<SizeFit> sizes) {
    List<Double> extras = new ArrayList<>();
    for (SizeFit size : sizes) {
      for (AttemptTimes attempt : size.attempts()) {
        List<Interval> others = attempt.intervals(false);
        List<Interval> all = attempt.intervals(true);
        if (!others.isEmpty() && all.size() > others.size()) {
          Interval last = all.get(all.size() - 1);
          extras.add(last.seconds() - last.units() * size.unitS());
        }
      }
    }
    DescriptiveStatistics statistics = statistics(extras.stream().mapToDouble(extra -> extra));
    double error = statistics.getStandardDeviation() / Math.sqrt(Math.max(1, extras.size()));
    boolean certain =
        extras.size() >= LEAST_SAMPLES
            && statistics.getMean() > 0
            && statistics.getMean() >= CERTAIN * error;
    return certain ? Optional.of(sampled(statistics)) : Optional.empty();
  }

  private static Optional<Sampled> sampled(DoubleStream values) {
    DescriptiveStatistics statistics = statistics(values);
    return statistics.getN() == 0 ? Optional.empty() : Optional.of(sampled(statistics));
  }

  private static Sampled sampled(DescriptiveStatistics statistics) {
    double mean = statistics.getMean();
    double cv = statistics.getN() < 2 || mean == 0 ? 0 : statistics.getStandardDeviation() / mean;
    return new Sampled(mean, cv, (int) statistics.getN());
  }

  private static DescriptiveStatistics statistics(DoubleStream values) {
    return new DescriptiveStatistics(values.toArray());
  }
}
