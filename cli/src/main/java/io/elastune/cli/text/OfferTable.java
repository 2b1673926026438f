package io.elastune.cli.text;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import java.util.List;

/** Renders a table of offers with their prices. */
public final class OfferTable {
  private OfferTable() {}

  /** Returns the header and a line for every offer. */
  public static List<String> of(List<Offer> offers) {
    TextTable table = new TextTable().left("offer").left("gpus").right("price");
    for (Offer offer : offers) {
      table.row(
          offer.name(),
          offer.gpus() + " × " + offer.gpu(),
          UsdFormat.format(offer.usdPerHour())
              + "/h"
              + (offer.price() == PriceKind.NOTIONAL ? " notional" : ""));
    }
    return table.lines();
  }
}
