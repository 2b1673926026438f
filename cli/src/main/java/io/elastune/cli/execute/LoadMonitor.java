package io.elastune.cli.execute;

import io.elastune.cli.inspect.RunLoad;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.SharedMachine;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Compares what other programs use of this machine during a run with what they used while its
 * program was profiled. It says when the load becomes another one, because predictions do not hold
 * then, and when it is as before again.
 */
final class LoadMonitor {
  private final int cores;
  private final OptionalDouble profiledCores;
  private final Consumer<String> notes;
  private boolean isOther;
  private double coreSeconds;
  private double seconds;

  /**
   * Creates a monitor for one run.
   *
   * @param profiledCores the cores that others used while the program was profiled, if known
   * @param notes receives the notes
   */
  LoadMonitor(int cores, OptionalDouble profiledCores, Consumer<String> notes) {
    this.cores = cores;
    this.profiledCores = profiledCores;
    this.notes = notes;
  }

  /** Returns the cores that other programs used while one of the profiles was measured. */
  static OptionalDouble profiledCores(Collection<Profile> profiles) {
    return profiles.stream()
        .map(Profile::measured)
        .flatMap(origin -> origin.number(SharedMachine.OTHER_CORES).stream())
        .mapToDouble(MeasuredNumber::value)
        .max();
  }

  /**
   * Receives how many cores other programs have used in the last seconds, and returns the load.
   *
   * @param duration these seconds
   * @param trialCores the cores of the trials that run
   */
  RunLoad observe(double otherCores, double duration, double trialCores) {
    coreSeconds += otherCores * duration;
    seconds += duration;
    RunLoad load = RunLoad.of(cores, otherCores, coreSeconds / seconds, profiledCores, trialCores);
    if (load.isOther() != isOther) {
      isOther = load.isOther();
      notes.accept(isOther ? load.text() : load.text() + ": trials are as fast as predicted again");
    }
    return load;
  }

  /** Returns what other programs used while a program was profiled; empty if it was little. */
  static Optional<String> whileProfiled(OptionalDouble otherCores, int cores) {
    return !SharedMachine.isNoticeable(otherCores.orElse(0), cores)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "while it was profiled, other programs used %.1f of the %d cores of this machine:"
                    + " predictions hold for such a load, and their intervals are wider",
                otherCores.getAsDouble(),
                cores));
  }
}
