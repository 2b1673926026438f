package io.elastune.provisioner;

import io.elastune.core.Check;
import io.elastune.core.offer.Offer;
import java.util.List;

/**
 * What is to be rented.
 *
 * @param places where; empty for everywhere that the settings name
 * @param offers what a run may rent; empty if nothing in particular
 * @param instances how many at the same time, at most
 */
public record Need(List<String> places, List<Offer> offers, int instances) {
  public Need {
    places = List.copyOf(places);
    offers = List.copyOf(offers);
    Check.atLeast("instances", 1, instances);
  }
}
