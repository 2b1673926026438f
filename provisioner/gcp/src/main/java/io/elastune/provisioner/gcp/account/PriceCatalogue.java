package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.CloudException;
import java.util.Set;
import java.util.function.Consumer;

/** What Google sells for Compute Engine, item by item, at public prices. */
public interface PriceCatalogue {
  /**
   * One item.
   *
   * @param description in Google's words, the only place where it says what the item is of
   * @param usage {@code OnDemand}, {@code Preemptible}, or a commitment
   * @param regions where it is sold at this price
   * @param unit what the price is for, e.g. {@code h}, {@code GiBy.h}
   * @param usd dollars for one unit; of several steps the dearest
   */
  record Item(String description, String usage, Set<String> regions, String unit, double usd) {
    public Item {
      regions = Set.copyOf(regions);
    }
  }

  /**
   * Tells every item, tens of thousands of them, page by page.
   *
   * @throws CloudException with what went wrong
   */
  void items(Consumer<Item> taker);
}
