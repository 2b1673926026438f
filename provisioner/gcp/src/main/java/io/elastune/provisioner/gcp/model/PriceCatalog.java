package io.elastune.provisioner.gcp.model;

import io.elastune.provisioner.CloudException;
import java.util.Set;
import java.util.function.Consumer;

/** Reads the list prices of all Compute Engine items. */
public interface PriceCatalog {
  /**
   * One item of the catalog.
   *
   * @param description Google's description, the only field that identifies the item
   * @param usage {@code OnDemand}, {@code Preemptible}, or a commitment
   * @param regions the regions with this price
   * @param unit the unit of the price, for example {@code h} or {@code GiBy.h}
   * @param usd USD per unit; with tiered rates, the highest
   */
  record Item(String description, String usage, Set<String> regions, String unit, double usd) {
    public Item {
      regions = Set.copyOf(regions);
    }
  }

  /**
   * Passes every item to the consumer, page by page. There are tens of thousands.
   *
   * @throws CloudException with the failure
   */
  void forEachItem(Consumer<Item> taker);
}
