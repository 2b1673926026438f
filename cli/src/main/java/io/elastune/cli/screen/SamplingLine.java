package io.elastune.cli.screen;

import io.elastune.core.estimate.Estimate;
import java.util.List;
import java.util.Locale;

/** How many samples an estimate rests on, and how well they determine it. */
public final class SamplingLine {
  private SamplingLine() {}

  /** One line; none if nothing varies, for then one sample says all. */
  public static List<String> of(Estimate estimate) {
    if (estimate.samples() == 1) {
      return List.of();
    }
    return List.of(
        String.format(
            Locale.ROOT,
            "%,d samples: mean time known to ± %s, mean cost to ± %s",
            estimate.samples(),
            part(estimate.samplingError().completionS(), estimate.completionS().mean()),
            part(estimate.samplingError().costUsd(), estimate.costUsd().mean())));
  }

  private static String part(double error, double mean) {
    return Percent.error(error == 0 ? 0 : error / mean);
  }
}
