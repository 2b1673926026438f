package io.elastune.provisioner.aws.model;

import io.elastune.core.Preconditions;
import io.elastune.provisioner.remote.Place;
import java.util.List;
import java.util.Optional;

/**
 * A region, or one of its zones.
 *
 * @param region e.g. {@code us-east-1}
 * @param zone e.g. {@code us-east-1a}
 */
public record Location(String region, Optional<String> zone) implements Place {
  private static final String PROVIDER = "aws";

  public Location {
    Preconditions.text("region", region);
  }

  /** Parses {@code aws/REGION[/ZONE]}; returns empty if the text has another form. */
  public static Optional<Location> parse(String infra) {
    List<String> parts = List.of(infra.split("/", -1));
    boolean named = parts.size() > 1 && parts.size() <= 3 && parts.get(0).equals(PROVIDER);
    return named && parts.stream().noneMatch(String::isBlank)
        ? Optional.of(new Location(parts.get(1), parts.stream().skip(2).findFirst()))
        : Optional.empty();
  }

  @Override
  public String infra() {
    return PROVIDER + "/" + region + zone.map(name -> "/" + name).orElse("");
  }
}
