package io.elastune.profiler.history;

import io.elastune.executor.journal.PreparationRow;
import java.util.OptionalDouble;

/**
 * The provisioning times of one lease.
 *
 * @param place the region or zone of its offer
 * @param setup the key of what prepares the instance; leases with the same key boot alike
 * @param hour hour of the request, in UTC
 * @param bootS seconds from running to ready, with the setup
 * @param preparation how it was prepared: its setup is a part of {@code bootS}
 */
public record ProvisioningRow(
    String place,
    String instanceType,
    String market,
    String setup,
    int hour,
    double queueS,
    OptionalDouble bootS,
    PreparationRow preparation) {
  /** Returns the provider: the first part of the place. */
  public String provider() {
    int slash = place.indexOf('/');
    return slash < 0 ? place : place.substring(0, slash);
  }

  /** Returns whether the lease ran in a region or zone. */
  public boolean isIn(String region) {
    return place.equals(region)
        || place.startsWith(region + "/")
        || preparation.zone().filter(name -> region.equals(place + "/" + name)).isPresent();
  }
}
