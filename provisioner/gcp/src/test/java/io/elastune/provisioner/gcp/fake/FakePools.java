package io.elastune.provisioner.gcp.fake;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How many machines of a type there are left in a zone; without end, where nothing was said. */
final class FakePools {
  private final Map<String, Integer> pools = new HashMap<>();

  void left(String type, String zone, int left) {
    pools.put(type + "@" + zone, left);
  }

  /** Takes one; where there is none, code and message of the refusal. */
  Optional<String[]> refusal(String type, String zone) {
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
