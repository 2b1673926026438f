package io.elastune.profiler;

import io.elastune.core.Spread;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.CheckpointMeasurement.Sampled;
import io.elastune.core.profile.ProvisioningTimes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Pools means and spreads of several samples as if all their values were one sample. */
final class PooledSamples {
  private PooledSamples() {}

  /** Mean, coefficient of variation and number of the values of one sample. */
  record Sample(double mean, double cv, int count) {
    private double squares() {
      return (count - 1) * Math.pow(mean * cv, 2);
    }
  }

  static Sample queue(ProvisioningTimes times) {
    return new Sample(times.queueS().mean(), times.queueS().cv(), times.samples());
  }

  static Sample boot(ProvisioningTimes times) {
    return new Sample(times.bootS().mean(), times.bootS().cv(), times.samples());
  }

  static Sample setup(ProvisioningTimes times) {
    return new Sample(times.setupS().mean(), times.setupS().cv(), times.samples());
  }

  static Sample image(ProvisioningTimes times) {
    return new Sample(times.imageS().mean(), times.imageS().cv(), times.samples());
  }

  /** Returns mean and spread of all values. */
  static Spread spread(List<Sample> samples) {
    Sample all = pooled(samples);
    return new Spread(all.mean(), all.cv());
  }

  private static Sample pooled(List<Sample> samples) {
    int count = samples.stream().mapToInt(Sample::count).sum();
    double mean = samples.stream().mapToDouble(one -> one.mean() * one.count()).sum() / count;
    double squares = 0;
    for (Sample one : samples) {
      squares += one.squares() + one.count() * Math.pow(one.mean() - mean, 2);
    }
    double deviation = count > 1 ? Math.sqrt(squares / (count - 1)) : 0;
    return new Sample(mean, mean > 0 ? deviation / mean : 0, count);
  }

  /** Returns the coefficient of variation within the samples; their means may differ. */
  static double withinCv(List<Sample> samples) {
    double squares = 0;
    double freedom = 0;
    for (Sample one : samples) {
      squares += (one.count() - 1) * one.cv() * one.cv();
      freedom += one.count() - 1;
    }
    return freedom > 0 ? Math.sqrt(squares / freedom) : 0;
  }

  /** Returns what several runs have measured of checkpoints. */
  static CheckpointMeasurement checkpoint(List<CheckpointMeasurement> all) {
    return new CheckpointMeasurement(
        sampled(all, CheckpointMeasurement::sizeGb),
        sampled(all, CheckpointMeasurement::saveS),
        sampled(all, CheckpointMeasurement::storeS),
        sampled(all, CheckpointMeasurement::restoreS));
  }

  private static Optional<Sampled> sampled(
      List<CheckpointMeasurement> all, Function<CheckpointMeasurement, Optional<Sampled>> part) {
    List<Sample> samples =
        all.stream()
            .flatMap(one -> part.apply(one).stream())
            .map(one -> new Sample(one.mean(), one.cv(), one.samples()))
            .toList();
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    Sample pooled = pooled(samples);
    return Optional.of(new Sampled(pooled.mean(), pooled.cv(), pooled.count()));
  }
}
