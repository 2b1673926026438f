package io.elastune.cli.text;

import io.elastune.profiler.Calibration;
import io.elastune.profiler.Calibration.Quantity;
import io.elastune.profiler.PlaceTimes;
import io.elastune.profiler.history.FaultExposure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders how past predictions compare with the actual times and costs of their runs. */
public final class CalibrationScreen {
  private final Calibration calibration;
  private final boolean simulated;
  private final int others;

  /**
   * Creates the screen.
   *
   * @param simulated whether simulated runs are checked
   * @param others predictions that are not checked because they are simulated, or are not
   */
  public CalibrationScreen(Calibration calibration, boolean simulated, int others) {
    this.calibration = calibration;
    this.simulated = simulated;
    this.others = others;
  }

  /** Returns the lines of the screen. */
  public List<String> lines(List<FaultExposure> exposures, List<PlaceTimes> places) {
    List<String> lines = new ArrayList<>();
    int runs = calibration.used().size();
    lines.add(
        Plural.counted(runs, simulated ? "simulated run" : "run")
            + " with a prediction and a result"
            + omitted());
    if (runs > 0) {
      TextTable table =
          new TextTable()
              .left("predicted")
              .right("expected below")
              .right("actual below")
              .right("share")
              .right("95% interval")
              .left("");
      calibration.rows().forEach(row -> add(table, row));
      lines.addAll(table.lines());
      lines.add(ratio("time", Quantity.TIME));
      lines.add(ratio("cost", Quantity.COST));
    }
    if (!exposures.isEmpty()) {
      lines.add("");
      lines.addAll(faults(exposures));
    }
    if (!places.isEmpty()) {
      lines.add("");
      lines.addAll(provisioning(places));
    }
    return lines;
  }

  private String omitted() {
    List<String> reasons = new ArrayList<>();
    if (calibration.incomplete() > 0) {
      reasons.add(calibration.incomplete() + " without an actual time (stopped or resumed)");
    }
    if (others > 0) {
      reasons.add(
          others + (simulated ? " real (omit --simulated)" : " simulated (add --simulated)"));
    }
    return reasons.isEmpty() ? "" : "; not counted: " + String.join(", ", reasons);
  }

  private static void add(TextTable table, Calibration.Row row) {
    String quantity = row.quantity() == Quantity.TIME ? "time" : "cost";
    String percentile = PercentFormat.share(row.percentile());
    String verdict = "consistent";
    if (!row.isConsistent()) {
      verdict = row.low() > row.percentile() ? "too high" : "too low";
    }
    table.row(
        quantity + " p" + Math.round(100 * row.percentile()),
        percentile,
        row.below() + " of " + row.count(),
        PercentFormat.share(row.share()),
        PercentFormat.share(row.low()) + " to " + PercentFormat.share(row.high()),
        verdict);
  }

  private String ratio(String name, Quantity quantity) {
    double ratio = calibration.medianRatio(quantity);
    return Double.isNaN(ratio)
        ? name + ": nothing was charged"
        : String.format(
            Locale.ROOT,
            "%s: actual / predicted mean has the median %.3f, the error of the mean the median"
                + " %.1f%%",
            name,
            ratio,
            100 * calibration.medianError(quantity));
  }

  private static List<String> provisioning(List<PlaceTimes> places) {
    TextTable table =
        new TextTable()
            .left("offer")
            .left("zone")
            .right("leases")
            .right("queueing")
            .right("boot")
            .right("setup")
            .right("of which image");
    for (PlaceTimes one : places) {
      table.row(
          one.offer(),
          one.zone().orElse("-"),
          one.leases(),
          ProfileTable.spread(one.queueS()),
          one.bootS().map(ProfileTable::spread).orElse("-"),
          one.setupS().map(ProfileTable::spread).orElse("-"),
          one.imageS().map(ProfileTable::spread).orElse("-"));
    }
    return table.lines();
  }

  private static List<String> faults(List<FaultExposure> exposures) {
    TextTable table =
        new TextTable()
            .left("offer")
            .right("leases")
            .right("hours")
            .right("preempted")
            .right("failed or lost")
            .right("never ready")
            .right("refused")
            .right("attempts")
            .right("failed");
    for (FaultExposure one : exposures) {
      table.row(
          one.offer(),
          one.leases(),
          String.format(Locale.ROOT, "%.2f", one.instanceHours()),
          one.preempted(),
          one.failed(),
          one.notReady(),
          one.refused(),
          one.attempts(),
          one.failedAttempts());
    }
    return table.lines();
  }
}
