package io.elastune.core.plan;

import io.elastune.core.Check;
import io.elastune.core.IntRange;
import io.elastune.core.billing.RunningCosts;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All that a prediction or a plan depends on.
 *
 * @param workload what is to be trained
 * @param offers what may be rented (discount and measured provisioning already applied)
 * @param profiles by GPU model
 * @param gpusPerTrial the sizes that the user allows
 * @param limits what a plan must keep
 * @param running what is paid by the hour from start to completion, whatever is held
 * @param seed root of the named random streams
 */
public record Problem(
    Workload workload,
    List<Offer> offers,
    Map<String, Profile> profiles,
    IntRange gpusPerTrial,
    Limits limits,
    RunningCosts running,
    long seed) {
  public Problem {
    offers = List.copyOf(offers);
    profiles = Collections.unmodifiableMap(new TreeMap<>(profiles));
    Map<String, Offer> byName = new LinkedHashMap<>();
    for (Offer offer : offers) {
      Check.that(
          byName.put(offer.name(), offer) == null, "the offer " + offer.name() + " is given twice");
    }
  }

  /** The offer of that name. */
  public Optional<Offer> offer(String name) {
    return offers.stream().filter(offer -> offer.name().equals(name)).findFirst();
  }

  /** The profile of an offer's GPU model. */
  public Optional<Profile> profile(Offer offer) {
    return Optional.ofNullable(profiles.get(offer.gpu()));
  }

  /** The same problem with other offers and profiles. */
  public Problem with(List<Offer> otherOffers, Map<String, Profile> otherProfiles) {
    return new Problem(workload, otherOffers, otherProfiles, gpusPerTrial, limits, running, seed);
  }

  /** The same problem with something else to be trained. */
  public Problem withWorkload(Workload other) {
    return new Problem(other, offers, profiles, gpusPerTrial, limits, running, seed);
  }

  /** The same problem under other limits. */
  public Problem withLimits(Limits other) {
    return new Problem(workload, offers, profiles, gpusPerTrial, other, running, seed);
  }
}
