package io.elastune.cli.text;

import io.elastune.inputs.SpotComparison;
import java.util.Locale;

/** Says what the spot capacity of a plan saves and what it risks. */
final class SpotNote {
  private SpotNote() {}

  /** Returns one line. */
  static String line(SpotComparison comparison, boolean hasDeadline) {
    String deadline =
        hasDeadline
            ? ", on time "
                + PercentFormat.instead(comparison.spot().onTime(), comparison.onDemand().onTime())
            : "";
    return ("spot: %s %s (%s) against the same plan on demand%s;"
            + " up to %s preemptions per instance and hour")
        .formatted(
            comparison.savedUsd() >= 0 ? "saves" : "adds",
            UsdFormat.format(Math.abs(comparison.savedUsd())),
            PercentFormat.share(Math.abs(comparison.savedShare())),
            deadline,
            String.format(Locale.ROOT, "%.2g", comparison.preemptionsPerHour()));
  }
}
