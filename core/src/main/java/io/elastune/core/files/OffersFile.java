package io.elastune.core.files;

import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Nearest;
import io.elastune.core.files.schema.Reading;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.files.schema.Values;
import io.elastune.core.files.tree.YamlWriter;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and writes offers files. */
public final class OffersFile {
  private static final Field<OfferCatalog, String> SOURCE =
      Field.required(
          "source", Texts.text(), OfferCatalog::source, "Source of the prices.", "price list");
  private static final Field<OfferCatalog, String> DATE =
      Field.required(
          "date",
          Texts.checked("date, or date-time with offset", OffersFile::readDate),
          OfferCatalog::date,
          "Date of the prices.",
          "2026-11-20");
  private static final Field<OfferCatalog, List<Offer>> OFFERS =
      Field.required(
          "offers", Lists.ofSome(OfferSection.SECTION), OfferCatalog::offers, "The offers.", "");

  private static final Field<OfferCatalog, List<Quota>> QUOTAS =
      Field.optional(
          "quotas",
          Lists.ofSome(QuotaSection.SECTION),
          "none",
          catalog -> Optional.of(catalog.quotas()).filter(quotas -> !quotas.isEmpty()),
          "Quotas of the account on these offers.",
          "");

  static final Section<OfferCatalog> SECTION =
      Section.<OfferCatalog>of(
              "",
              "What can be rented, with prices and billing terms.",
              List.of(SOURCE, DATE, OFFERS, QUOTAS),
              values ->
                  new OfferCatalog(
                      values.get(SOURCE),
                      values.get(DATE),
                      values.get(OFFERS),
                      values.find(QUOTAS).orElse(List.of())))
          .checking(OffersFile::check);

  private OffersFile() {}

  /**
   * Returns the offers, or all problems of the file.
   *
   * @param fileName file name used in messages
   */
  public static Parsed<OfferCatalog> parse(String fileName, String text) {
    return Reader.parse(fileName, text, SECTION);
  }

  /**
   * Returns an offers file from which {@link #parse} reads an equal catalog; the catalog has at
   * least one offer.
   */
  public static String write(OfferCatalog catalog) {
    return YamlWriter.write(SECTION.write(catalog));
  }

  private static Reading<String> readDate(String text) {
    return isDate(text) || isMoment(text)
        ? Reading.right(text)
        : Reading.wrong(
            "must be a date, or a date-time with offset, not \"" + text + "\"", "e.g. 2026-11-20");
  }

  private static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isMoment(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static void check(Values values) {
    Map<String, Integer> seen = new HashMap<>();
    for (Values.Part<Offer> part : values.parts(OFFERS, OfferSection.SECTION)) {
      String name = part.value().name();
      Integer first = seen.putIfAbsent(name, part.node().place().line());
      if (first != null) {
        values.problem(part, "the offer " + name + " is given twice, first on line " + first, "");
      }
    }
    for (Values.Part<Quota> part : values.parts(QUOTAS, QuotaSection.SECTION)) {
      for (String offer : part.value().uses().keySet()) {
        if (!seen.containsKey(offer)) {
          values.problem(
              part,
              "counts " + offer + ", which is not in the list of offers",
              Nearest.hint(offer, seen.keySet()));
        }
      }
    }
  }
}
