package io.elastune.core.plan;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The input of the simulator and the planner: everything that a prediction depends on.
 *
 * @param workload the trial groups to be trained
 * @param offers the offers that may be rented, with the discount and measured provisioning times
 *     already applied
 * @param profiles profiles by GPU model
 * @param gpusPerTrial the numbers of GPUs per trial that the job allows
 * @param limits the limits that a plan must meet
 * @param running hourly costs from start to completion, independent of the instances held
 * @param seed seed of the named random streams
 */
public record Problem(
    Workload workload,
    List<Offer> offers,
    Map<String, Profile> profiles,
    IntRange gpusPerTrial,
    Limits limits,
    HourlyCosts running,
    long seed) {
  public Problem {
    offers = List.copyOf(offers);
    profiles = Collections.unmodifiableMap(new TreeMap<>(profiles));
    Map<String, Offer> byName = new LinkedHashMap<>();
    for (Offer offer : offers) {
      Preconditions.that(
          byName.put(offer.name(), offer) == null, "the offer " + offer.name() + " is given twice");
    }
  }

  /** Returns the offer with that name. */
  public Optional<Offer> offer(String name) {
    return offers.stream().filter(offer -> offer.name().equals(name)).findFirst();
  }

  /** Returns the profile for an offer's GPU model. */
  public Optional<Profile> profile(Offer offer) {
    return Optional.ofNullable(profiles.get(offer.gpu()));
  }

  /** Returns this problem with other offers and profiles. */
  public Problem with(List<Offer> otherOffers, Map<String, Profile> otherProfiles) {
    return new Problem(workload, otherOffers, otherProfiles, gpusPerTrial, limits, running, seed);
  }

  /** Returns this problem with another workload. */
  public Problem withWorkload(Workload other) {
    return new Problem(other, offers, profiles, gpusPerTrial, limits, running, seed);
  }

  /** Returns this problem with other limits. */
  public Problem withLimits(Limits other) {
    return new Problem(workload, offers, profiles, gpusPerTrial, other, running, seed);
  }
}
