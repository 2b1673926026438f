package io.elastune.profiler;

import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The speed of a program in one run, relative to its stored profile, over all sizes that both have
 * measured.
 *
 * @param log logarithm of its seconds per unit divided by those of the stored profile
 * @param standardError standard error of {@code log}
 */
record RunSpeed(double log, double standardError) {
  /** Returns the speed; empty if no size is measured in both. */
  static Optional<RunSpeed> of(Profile run, Profile stored) {
    List<RunSpeed> speeds = new ArrayList<>();
    if (run.startupKnown() != stored.startupKnown()) {
      return Optional.empty(); // the seconds per unit of one of them include the start-up
    }
    for (MeasuredNumber number : run.measured().numbers()) {
      double before = seconds(stored, number.name());
      if (before > 0 && number.value() > 0) {
        double error = PooledNumber.error(number) / number.value();
        speeds.add(new RunSpeed(Math.log(number.value() / before), error));
      }
    }
    return speeds.isEmpty() ? Optional.empty() : Optional.of(mean(speeds));
  }

  /** Returns the seconds per unit that a number of a profile means; 0 for none. */
  private static double seconds(Profile profile, String name) {
    String count = name.substring(name.indexOf('.') + 1);
    if (name.startsWith("training.")) {
      return profile.secondsByGpus().getOrDefault(Integer.parseInt(count), 0.0);
    }
    return name.startsWith("sharing.")
        ? profile.secondsBySharing().getOrDefault(Integer.parseInt(count), 0.0)
        : 0;
  }

  /** Returns the mean of speeds, weighted by their precision. */
  static RunSpeed mean(List<RunSpeed> speeds) {
    double weights = 0;
    double sum = 0;
    for (RunSpeed speed : speeds) {
      double weight = 1 / Math.max(1e-12, speed.standardError() * speed.standardError());
      weights += weight;
      sum += weight * speed.log();
    }
    return new RunSpeed(sum / weights, Math.sqrt(1 / weights));
  }

  /** Returns the standard deviation of speeds that their standard errors do not explain. */
  static double between(List<RunSpeed> speeds) {
    double mean = speeds.stream().mapToDouble(RunSpeed::log).average().orElse(0);
    double excess = 0;
    for (RunSpeed speed : speeds) {
      excess += Math.pow(speed.log() - mean, 2) - Math.pow(speed.standardError(), 2);
    }
    return speeds.size() < 2 ? 0 : Math.sqrt(Math.max(0, excess / (speeds.size() - 1)));
  }
}
