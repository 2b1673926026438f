package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.gcp.account.Place;
import java.util.Collection;
import java.util.Optional;

/** What is known to be wrong with a request before Google is asked. */
final class RequestRules {
  private static final int MOST_LABELS = 64;

  /** Google takes 256 KiB in one item of metadata; our own part and the encoding need the rest. */
  private static final int LONGEST_SETUP = 100_000;

  private RequestRules() {}

  /** The first thing that is wrong, in a sentence. */
  static Optional<String> problem(LeaseRequest request, Collection<String> regions) {
    Optional<Place> place = Place.parse(request.offer().infra());
    if (place.isEmpty()) {
      return Optional.of(request.offer().infra() + " is not a place of Google Cloud");
    }
    if (!regions.contains(place.get().region())) {
      return Optional.of(
          "clouds.yaml has no region "
              + place.get().region()
              + " below gcp.regions, only "
              + String.join(", ", regions));
    }
    if (place
        .get()
        .zone()
        .filter(z -> !Place.regionOf(z).equals(place.get().region()))
        .isPresent()) {
      return Optional.of(request.offer().infra() + ": that zone is of another region");
    }
    if (request.tags().size() > MOST_LABELS) {
      return Optional.of("Google takes no more than " + MOST_LABELS + " labels, ours among them");
    }
    return request.setup().flatMap(RequestRules::problem);
  }

  private static Optional<String> problem(NodeSetup setup) {
    if (!setup.environment().isEmpty()) {
      return Optional.of(
          "setup on Google Cloud cannot be given environment variables yet: they would lie open in"
              + " the instance's metadata");
    }
    return setup.command().length() > LONGEST_SETUP
        ? Optional.of("setup is longer than " + LONGEST_SETUP + " characters: put it in a script")
        : Optional.empty();
  }
}
