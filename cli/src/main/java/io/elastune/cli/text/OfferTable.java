package io.elastune.cli.text;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import java.util.List;
import java.util.Optional;

/** Renders a table of offers with their prices. */
public final class OfferTable {
  private OfferTable() {}

  /**
   * Returns the header and a line for every offer.
   *
   * @param catalog the catalog of the offers; prices that replace unavailable ones are marked
   *     {@code ~}, with their date
   */
  public static List<String> of(List<Offer> offers, OfferCatalog catalog) {
    TextTable table = new TextTable().left("offer").left("gpus").right("price");
    for (Offer offer : offers) {
      Optional<String> date = catalog.replacementDate(offer.name());
      table.row(
          offer.name(),
          offer.gpus() + " × " + offer.gpu(),
          (date.isPresent() ? "~" : "")
              + UsdFormat.format(offer.usdPerHour())
              + "/h"
              + date.map(of -> " of " + of).orElse("")
              + (offer.price() == PriceKind.NOTIONAL ? " notional" : ""));
    }
    return table.lines();
  }
}
