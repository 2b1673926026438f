package io.elastune.provisioner.remote;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Selects the bucket for instances from the settings of regions. */
public final class RegionBuckets {
  private RegionBuckets() {}

  /**
   * Returns the name of the bucket of the first place that has one; without places, of the first
   * region.
   *
   * @param provider the name of the cloud's provider, e.g. {@code aws}
   * @param places {@code PROVIDER/REGION[/ZONE]}; others are ignored
   * @param buckets by region, in the order of the settings
   */
  public static Optional<String> select(
      String provider, List<String> places, Map<String, Optional<String>> buckets) {
    Stream<String> regions =
        places.isEmpty()
            ? buckets.keySet().stream()
            : places.stream()
                .flatMap(place -> Location.parse(provider, place).stream())
                .map(Location::region);
    return regions
        .flatMap(region -> buckets.getOrDefault(region, Optional.empty()).stream())
        .findFirst();
  }
}
