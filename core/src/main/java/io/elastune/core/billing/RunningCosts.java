package io.elastune.core.billing;

import io.elastune.core.Check;

/**
 * Hourly costs of a plan from its start to its completion, independent of the instances held. They
 * are charged for the exact time.
 *
 * @param controllerUsdPerHour price of the controller's machine
 * @param storageUsdPerHour price of checkpoint storage
 */
public record RunningCosts(double controllerUsdPerHour, double storageUsdPerHour) {
  /** No hourly costs. */
  public static final RunningCosts NONE = new RunningCosts(0, 0);

  public RunningCosts {
    Check.notNegative("controller_usd_per_hour", controllerUsdPerHour);
    Check.notNegative("storage_usd_per_hour", storageUsdPerHour);
  }

  /** Returns both costs for {@code seconds}, in USD. */
  public double usd(double seconds) {
    return seconds * usdPerS();
  }

  /** Returns both costs in USD per second. */
  public double usdPerS() {
    return controllerUsdPerS() + storageUsdPerS();
  }

  /** Returns the controller cost in USD per second. */
  public double controllerUsdPerS() {
    return controllerUsdPerHour / Billing.SECONDS_PER_HOUR;
  }

  /** Returns the checkpoint storage cost in USD per second. */
  public double storageUsdPerS() {
    return storageUsdPerHour / Billing.SECONDS_PER_HOUR;
  }
}
