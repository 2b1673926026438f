package io.elastune.provisioner.gcp.fake;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The remaining capacity for types in zones; unlimited unless set. */
final class FakePools {
  private final Map<String, Integer> pools = new HashMap<>();

  void setCapacity(String type, String zone, int left) {
    pools.put(type + "@" + zone, left);
  }

  /** Takes one unit of capacity; returns the error code and message if there is none. */
  Optional<String[]> take(String type, String zone) {
    String pool = type + "@" + zone;
    Integer left = pools.get(pool);
    if (left == null) {
      return Optional.empty();
    }
    if (left == 0) {
      return Optional.of(
          new String[] {
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            "The zone 'projects/my-project/zones/"
                + zone
                + "' does not have enough resources available to fulfill the request.  Try a"
                + " different zone, or try again later."
          });
    }
    pools.put(pool, left - 1);
    return Optional.empty();
  }
}
