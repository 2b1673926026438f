package io.elastune.provisioner.gcp.account;

import io.elastune.core.Check;
import java.util.List;
import java.util.Optional;

/**
 * A region, or one of its zones.
 *
 * @param region e.g. {@code us-central1}
 * @param zone e.g. {@code us-central1-a}
 */
public record Place(String region, Optional<String> zone) {
  private static final String KIND = "gcp";

  public Place {
    Check.text("region", region);
  }

  /** Reads {@code gcp/REGION[/ZONE]}; empty if it is not of that form. */
  public static Optional<Place> parse(String infra) {
    List<String> parts = List.of(infra.split("/", -1));
    boolean named = parts.size() > 1 && parts.size() <= 3 && parts.get(0).equals(KIND);
    return named && parts.stream().noneMatch(String::isBlank)
        ? Optional.of(new Place(parts.get(1), parts.stream().skip(2).findFirst()))
        : Optional.empty();
  }

  /** The region that a zone lies in: its name without the last part. */
  public static String regionOf(String zone) {
    int dash = zone.lastIndexOf('-');
    return dash < 0 ? zone : zone.substring(0, dash);
  }

  /** The offers' infra. */
  public String infra() {
    return KIND + "/" + region + zone.map(name -> "/" + name).orElse("");
  }
}
