package io.elastune.core.offer;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A quota of a cloud account: the maximum capacity that it may hold at once. On AWS, a quota counts
 * the vCPUs of a family of instance types, on-demand or spot. On Google Cloud, it counts the GPUs
 * of one model in a region.
 */
@FileSection(
    title = "quotas",
    doc = "A quota of the account on a group of offers, in addition to the limits of the job.")
public record Quota(
    @FileField(doc = "The provider's name of the quota.", example = "Running On-Demand P instances")
        String name,
    @FileField(doc = "Unit in which it is counted.", absent = "instances", example = "vCPU")
        String unit,
    @FileField(doc = "Maximum that may be held at once by all instances together.", example = "64")
        @Bounds(least = 0)
        int limit,
    @FileField(
            doc = "Quota units per instance, by offer name. Quotas may overlap.",
            example = "{aws/us-east-1/p3.8xlarge/on-demand: 32}")
        Map<String, Integer> uses) {
  public Quota {
    Preconditions.text("name", name);
    Preconditions.text("unit", unit);
    Preconditions.atLeast("limit", 0, limit);
    uses = Collections.unmodifiableMap(new TreeMap<>(uses));
    uses.forEach((offer, use) -> Preconditions.atLeast("uses." + offer, 1, use));
  }

  /**
   * The unit of limits on memory, which each trial needs: several on a GPU need several times it.
   */
  public static final String MEMORY_UNIT = "MB";

  private static final double MB_PER_GB = 1000;

  /** Returns the quota units of one instance of {@code offer}; 0 if the quota does not count it. */
  public int unitsPerInstance(String offer) {
    return uses.getOrDefault(offer, 0);
  }

  /** Returns the maximum number of instances of {@code offer} if nothing else is held. */
  public int maxInstances(String offer) {
    return unitsPerInstance(offer) == 0 ? Integer.MAX_VALUE : limit / unitsPerInstance(offer);
  }

  /** Returns the quota units of one instance with so many trials on each of its GPUs. */
  public int unitsPerInstance(String offer, int trialsPerGpu) {
    long units = (long) unitsPerInstance(offer) * (isMemory() ? trialsPerGpu : 1);
    return (int) Math.min(Integer.MAX_VALUE, units);
  }

  /** Returns the maximum number of instances with so many trials on each of their GPUs. */
  public int maxInstances(String offer, int trialsPerGpu) {
    int units = unitsPerInstance(offer, trialsPerGpu);
    return units == 0 ? Integer.MAX_VALUE : limit / units;
  }

  /** Returns whether this limits the memory of workers. */
  public boolean isMemory() {
    return unit.equals(MEMORY_UNIT);
  }

  /** Returns an amount of this quota with its unit, e.g. {@code 64 vCPU} or {@code 16.0 GB}. */
  public String amount(double units) {
    return isMemory() && units >= MB_PER_GB
        ? String.format(Locale.ROOT, "%.1f GB", units / MB_PER_GB)
        : String.format(Locale.ROOT, "%.0f %s", units, unit);
  }

  /** Returns this quota reduced to some offers. */
  Quota restrictTo(Set<String> offers) {
    Map<String, Integer> left = new TreeMap<>(uses);
    left.keySet().retainAll(offers);
    return new Quota(name, unit, limit, left);
  }

  /** Returns whether this limits the devices of the machine on which the controller runs. */
  public boolean isOfThisMachine() {
    return name.contains("of this machine");
  }

  /** Returns e.g. {@code the quota "P instances" of 64 vCPU}. */
  @Override
  public String toString() {
    return (isOfThisMachine() ? "the limit \"" : "the quota \"") + name + "\" of " + amount(limit);
  }
}
