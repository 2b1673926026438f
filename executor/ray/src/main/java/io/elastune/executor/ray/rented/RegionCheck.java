package io.elastune.executor.ray.rented;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.CloudProviders;
import io.elastune.provisioner.RefusalReason;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks that the instances of a run can reach each other, because they form one Ray cluster. */
public final class RegionCheck {
  private static final int REGION = 1;

  private RegionCheck() {}

  /** Returns why one run cannot use all these offers of one provider; empty if it can. */
  public static Optional<CheckResult> problem(CloudContext context, Collection<Offer> offers) {
    Set<String> places =
        offers.stream()
            .map(Offer::infra)
            .filter(place -> region(place).isPresent())
            .collect(Collectors.toSet());
    Set<String> regions =
        places.stream()
            .map(RegionCheck::region)
            .flatMap(Optional::stream)
            .collect(Collectors.toCollection(TreeSet::new));
    Optional<CloudProvider> provider =
        offers.stream().findFirst().flatMap(offer -> CloudProviders.named(offer.provider()));
    if (regions.size() < 2
        || provider.isEmpty()
        || networks(provider.get(), context, places) < 2
        || RentedSection.read(context.settings()).connectedRegions().containsAll(regions)) {
      return Optional.empty();
    }
    return Optional.of(
        CheckResult.failed(
            "regions",
            "the instances of a run form one cluster, and the networks of "
                + String.join(" and ", regions)
                + " do not reach each other",
            "name one region in resources.infra or --infra; if the networks are peered, name the"
                + " regions in rented_nodes.connected_regions of clouds.yaml",
            RefusalReason.INVALID));
  }

  private static long networks(CloudProvider provider, CloudContext context, Set<String> places) {
    return places.stream().map(place -> provider.network(context, place)).distinct().count();
  }

  private static Optional<String> region(String place) {
    String[] parts = place.split("/", -1);
    return parts.length > REGION ? Optional.of(parts[REGION]) : Optional.empty();
  }
}
