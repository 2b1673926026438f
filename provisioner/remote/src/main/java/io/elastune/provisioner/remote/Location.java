package io.elastune.provisioner.remote;

import io.elastune.core.Preconditions;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.util.List;
import java.util.Optional;

/**
 * A region of a cloud, or one of its zones.
 *
 * @param provider the name of the cloud's provider, e.g. {@code aws}
 * @param region e.g. {@code us-east-1}
 * @param zone e.g. {@code us-east-1a}; empty for the whole region
 */
public record Location(String provider, String region, Optional<String> zone) {
  public Location {
    Preconditions.text("provider", provider);
    Preconditions.text("region", region);
  }

  /** Returns a whole region. */
  public static Location ofRegion(String provider, String region) {
    return new Location(provider, region, Optional.empty());
  }

  /** Parses {@code PROVIDER/REGION[/ZONE]}; returns empty for any other text. */
  public static Optional<Location> parse(String provider, String infra) {
    List<String> parts = List.of(infra.split("/", -1));
    boolean named = parts.size() > 1 && parts.size() <= 3 && parts.get(0).equals(provider);
    return named && parts.stream().noneMatch(String::isBlank)
        ? Optional.of(new Location(provider, parts.get(1), parts.stream().skip(2).findFirst()))
        : Optional.empty();
  }

  /**
   * Parses {@code PROVIDER/REGION[/ZONE]}.
   *
   * @throws CloudException for any other text
   */
  public static Location required(String provider, String infra) {
    return parse(provider, infra)
        .orElseThrow(
            () ->
                new CloudException(
                    new CloudFailure.Invalid(
                        infra + " does not have the form " + provider + "/REGION[/ZONE]")));
  }

  /** Returns the {@code infra} of offers there. */
  public String infra() {
    return provider + "/" + region + zone.map(name -> "/" + name).orElse("");
  }
}
