package io.elastune.cli.json;

import io.elastune.core.offer.OfferCatalog;
import io.elastune.plan.json.KeyIfPresent;
import java.util.List;
import java.util.Optional;

/** The document of {@code offers --json} without offers: an offers file must not be empty. */
record EmptyCatalog(
    String source, String date, List<String> offers, @KeyIfPresent Optional<List<String>> notes) {
  static EmptyCatalog of(OfferCatalog catalog) {
    return new EmptyCatalog(
        catalog.source(),
        catalog.date(),
        List.of(),
        Optional.of(catalog.notes()).filter(notes -> !notes.isEmpty()));
  }
}
