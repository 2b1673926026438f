package io.elastune.provisioner;

import io.elastune.core.Preconditions;
import io.elastune.core.offer.Offer;
import java.util.List;

/**
 * The capacity that a run requires, as input of a check.
 *
 * @param places the places; empty for all places in the settings
 * @param offers the offers that a run may rent; empty for any
 * @param instances the largest number of instances at the same time
 */
public record CapacityRequest(List<String> places, List<Offer> offers, int instances) {
  public CapacityRequest {
    places = List.copyOf(places);
    offers = List.copyOf(offers);
    Preconditions.atLeast("instances", 1, instances);
  }
}
