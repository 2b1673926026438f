package io.elastune.core.offer;

import io.elastune.core.Check;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How much of some capacity an account may hold at once. On AWS: vCPUs of a family of instance
 * types, on-demand or spot; on Google Cloud: GPUs of one model in a region.
 *
 * @param name as the provider calls it
 * @param unit what is counted, e.g. {@code vCPU}
 * @param limit the most that may be held at once
 * @param uses how much one instance of an offer takes, by the offer's name; other offers take none
 */
public record Quota(String name, String unit, int limit, Map<String, Integer> uses) {
  public Quota {
    Check.text("name", name);
    Check.text("unit", unit);
    Check.atLeast("limit", 0, limit);
    uses = Collections.unmodifiableMap(new TreeMap<>(uses));
    uses.forEach((offer, use) -> Check.atLeast("uses." + offer, 1, use));
  }

  /** How much one instance of {@code offer} takes; 0 if the quota does not count it. */
  public int use(String offer) {
    return uses.getOrDefault(offer, 0);
  }

  /** The most instances of {@code offer} that fit, nothing else being held. */
  public int most(String offer) {
    return use(offer) == 0 ? Integer.MAX_VALUE : limit / use(offer);
  }

  /** The same for some offers. */
  Quota only(Set<String> offers) {
    Map<String, Integer> left = new TreeMap<>(uses);
    left.keySet().retainAll(offers);
    return new Quota(name, unit, limit, left);
  }

  /** E.g. {@code the quota "P instances" of 64 vCPU}. */
  @Override
  public String toString() {
    return "the quota \"" + name + "\" of " + limit + " " + unit;
  }
}
