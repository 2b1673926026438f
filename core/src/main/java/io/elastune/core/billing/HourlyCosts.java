package io.elastune.core.billing;

import io.elastune.core.Preconditions;

/**
 * Hourly costs of a plan from its start to its completion, independent of the instances held. They
 * are charged for the exact time.
 *
 * @param controllerUsdPerHour price of the controller's machine
 * @param storageUsdPerHour price of checkpoint storage
 */
public record HourlyCosts(double controllerUsdPerHour, double storageUsdPerHour) {
  /** No hourly costs. */
  public static final HourlyCosts NONE = new HourlyCosts(0, 0);

  public HourlyCosts {
    Preconditions.notNegative("controller_usd_per_hour", controllerUsdPerHour);
    Preconditions.notNegative("storage_usd_per_hour", storageUsdPerHour);
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
