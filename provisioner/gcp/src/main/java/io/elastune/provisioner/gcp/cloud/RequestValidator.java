package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.InstancePath;
import io.elastune.provisioner.remote.Location;
import java.util.Collection;
import java.util.Optional;

/** Validates lease requests before any call to Google. */
final class RequestValidator {
  private static final int MAX_LABELS = 64;

  /**
   * In characters. Google allows 256 KiB per metadata item; the encoding and Elastune's own script
   * need the rest.
   */
  private static final int MAX_SETUP_LENGTH = 100_000;

  private RequestValidator() {}

  /** Returns the first problem as a sentence. */
  static Optional<String> problem(LeaseRequest request, Collection<String> regions) {
    Optional<Location> location = Location.parse(Gcp.PROVIDER, request.offer().infra());
    if (location.isEmpty()) {
      return Optional.of(request.offer().infra() + " is not a Google Cloud region or zone");
    }
    if (!regions.contains(location.get().region())) {
      return Optional.of(
          "clouds.yaml has no region "
              + location.get().region()
              + " below gcp.regions, only "
              + String.join(", ", regions));
    }
    if (location
        .get()
        .zone()
        .filter(z -> !InstancePath.regionOf(z).equals(location.get().region()))
        .isPresent()) {
      return Optional.of(request.offer().infra() + ": that zone belongs to another region");
    }
    if (request.tags().size() > MAX_LABELS) {
      return Optional.of(
          "Google allows at most " + MAX_LABELS + " labels, including those of Elastune");
    }
    return request.setup().flatMap(RequestValidator::problem);
  }

  private static Optional<String> problem(NodeSetup setup) {
    if (!setup.environment().isEmpty()) {
      return Optional.of(
          "setup on Google Cloud does not support environment variables: they would be readable in"
              + " the instance's metadata");
    }
    return setup.command().length() > MAX_SETUP_LENGTH
        ? Optional.of(
            "setup is longer than " + MAX_SETUP_LENGTH + " characters: put it in a script")
        : Optional.empty();
  }
}
