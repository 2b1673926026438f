package io.elastune.core.billing;

import io.elastune.core.Check;

/**
 * What a plan costs by the hour from its start to its completion, whatever it holds meanwhile. By
 * the exact second.
 *
 * @param controllerUsdPerHour price of the controller's own machine
 * @param storageUsdPerHour price of the checkpoints that are kept
 */
public record RunningCosts(double controllerUsdPerHour, double storageUsdPerHour) {
  /** Neither is paid for. */
  public static final RunningCosts NONE = new RunningCosts(0, 0);

  public RunningCosts {
    Check.notNegative("controller_usd_per_hour", controllerUsdPerHour);
    Check.notNegative("storage_usd_per_hour", storageUsdPerHour);
  }

  /** Dollars of both for {@code seconds}. */
  public double usd(double seconds) {
    return seconds * usdPerS();
  }

  /** Dollars of both, per second. */
  public double usdPerS() {
    return controllerUsdPerS() + storageUsdPerS();
  }

  /** Dollars of the controller's machine, per second. */
  public double controllerUsdPerS() {
    return controllerUsdPerHour / Billing.SECONDS_PER_HOUR;
  }

  /** Dollars of the checkpoints kept, per second. */
  public double storageUsdPerS() {
    return storageUsdPerHour / Billing.SECONDS_PER_HOUR;
  }
}
