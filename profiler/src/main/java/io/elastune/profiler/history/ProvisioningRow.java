package io.elastune.profiler.history;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The provisioning times of one lease.
 *
 * @param place the region or zone of its offer
 * @param zone the zone in which it ran, if the provider reported it
 * @param setup the key of what prepares the instance; leases with the same key boot alike
 * @param hour hour of the request, in UTC
 * @param bootS seconds from running to ready, with the setup
 * @param setupS the part of them that the setup took
 * @param imageS the part of the setup that the image took
 */
public record ProvisioningRow(
    String place,
    String instanceType,
    String market,
    Optional<String> zone,
    String setup,
    int hour,
    double queueS,
    OptionalDouble bootS,
    OptionalDouble setupS,
    OptionalDouble imageS) {
  /** Returns the provider: the first part of the place. */
  public String provider() {
    int slash = place.indexOf('/');
    return slash < 0 ? place : place.substring(0, slash);
  }

  /** Returns whether the lease ran in a region or zone. */
  public boolean isIn(String region) {
    return place.equals(region)
        || place.startsWith(region + "/")
        || zone.filter(name -> region.equals(place + "/" + name)).isPresent();
  }
}
