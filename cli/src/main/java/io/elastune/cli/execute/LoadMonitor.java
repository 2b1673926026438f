package io.elastune.cli.execute;

import io.elastune.core.plan.Problem;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.SharedMachine;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Says once in a run on this machine that other programs use more cores than while the program was
 * profiled, because the predictions do not hold then.
 */
final class LoadMonitor {
  /** More than this part of all cores is a change that slows trials. */
  private static final double CHANGE = 0.25;

  private final int cores;
  private final double profiledCores;
  private final Consumer<String> notes;
  private boolean told;

  /** {@code notes} receives the note. */
  LoadMonitor(int cores, double profiledCores, Consumer<String> notes) {
    this.cores = cores;
    this.profiledCores = profiledCores;
    this.notes = notes;
  }

  /** Returns the cores that other programs used while a profile of the problem was measured. */
  static double profiledCores(Problem problem) {
    return problem.profiles().values().stream()
        .map(Profile::measured)
        .flatMap(origin -> origin.number(SharedMachine.OTHER_CORES).stream())
        .mapToDouble(MeasuredNumber::value)
        .max()
        .orElse(0);
  }

  /** Receives how many cores other programs have used in the last seconds. */
  synchronized void observe(OptionalDouble otherCores) {
    if (told || otherCores.orElse(0) <= profiledCores + CHANGE * cores) {
      return;
    }
    told = true;
    notes.accept(
        String.format(
            Locale.ROOT,
            "other programs use %.1f of the %d cores of this machine, %.1f while the program was"
                + " profiled: trials run slower than predicted",
            otherCores.getAsDouble(),
            cores,
            profiledCores));
  }

  /** Returns what other programs used while a program was profiled; empty if it was little. */
  static Optional<String> whileProfiled(OptionalDouble otherCores, int cores) {
    return otherCores.orElse(0) < CHANGE / 2 * cores
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
