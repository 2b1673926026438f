package io.elastune.provisioner.gcp.model;

import io.elastune.core.Preconditions;
import io.elastune.provisioner.remote.Place;
import java.util.List;
import java.util.Optional;

/**
 * A region, or one of its zones.
 *
 * @param region for example {@code us-central1}
 * @param zone for example {@code us-central1-a}; empty for the whole region
 */
public record Location(String region, Optional<String> zone) implements Place {
  private static final String PROVIDER = "gcp";

  public Location {
    Preconditions.text("region", region);
  }

  /** Parses {@code gcp/REGION[/ZONE]}; empty for any other text. */
  public static Optional<Location> parse(String infra) {
    List<String> parts = List.of(infra.split("/", -1));
    boolean named = parts.size() > 1 && parts.size() <= 3 && parts.get(0).equals(PROVIDER);
    return named && parts.stream().noneMatch(String::isBlank)
        ? Optional.of(new Location(parts.get(1), parts.stream().skip(2).findFirst()))
        : Optional.empty();
  }

  /** Returns the region of a zone, which is the zone's name without the last part. */
  public static String regionOf(String zone) {
    int dash = zone.lastIndexOf('-');
    return dash < 0 ? zone : zone.substring(0, dash);
  }

  @Override
  public String infra() {
    return PROVIDER + "/" + region + zone.map(name -> "/" + name).orElse("");
  }
}
