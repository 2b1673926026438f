package io.elastune.cli.text;

import io.elastune.core.estimate.Estimate;
import java.util.List;
import java.util.Locale;

/** Renders the number of samples of an estimate and their standard error. */
public final class SamplingLine {
  private SamplingLine() {}

  /** Returns one line; none for an estimate from one sample, since nothing varies then. */
  public static List<String> of(Estimate estimate) {
    if (estimate.samples() == 1) {
      return List.of();
    }
    return List.of(
        String.format(
            Locale.ROOT,
            "%,d samples: mean time ± %s, mean cost ± %s (standard error)",
            estimate.samples(),
            part(estimate.samplingError().completionS(), estimate.completionS().mean()),
            part(estimate.samplingError().costUsd(), estimate.costUsd().mean())));
  }

  private static String part(double error, double mean) {
    return PercentFormat.error(error == 0 ? 0 : error / mean);
  }
}
