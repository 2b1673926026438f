package io.elastune.provisioner.gcp.fake;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The remaining capacity for types in zones; unlimited unless set. */
final class FakePools {
  private final Map<String, Integer> pools = new HashMap<>();
  private final Map<String, ApiError> rejected = new HashMap<>();
  private final Map<String, String[]> failing = new HashMap<>();

  void setCapacity(String type, String zone, int left) {
    pools.put(type + "@" + zone, left);
  }

  /** Rejects calls for a type in a zone with an error, as Google does with any reason. */
  void reject(String type, String zone, ApiError error) {
    rejected.put(type + "@" + zone, error);
  }

  /** Accepts calls for a type in a zone, and fails their operations with this code. */
  void failOperations(String type, String zone, String code, String message) {
    failing.put(type + "@" + zone, new String[] {code, message});
  }

  /** Throws the error with which calls for a type in a zone are rejected. */
  void requireAccepted(String type, String zone) {
    ApiError error = rejected.get(type + "@" + zone);
    if (error != null) {
      throw error;
    }
  }

  /** Takes one unit of capacity; returns the error code and message if there is none. */
  Optional<String[]> take(String type, String zone) {
    String pool = type + "@" + zone;
    if (failing.containsKey(pool)) {
      return Optional.of(failing.get(pool));
    }
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
