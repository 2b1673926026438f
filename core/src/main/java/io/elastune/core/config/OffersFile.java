package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.ReadResult;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.config.yaml.YamlWriter;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads and writes offers files. */
public final class OffersFile {
  private static final Pattern OFFER_NAME = Pattern.compile(".+");
  private static final String OFFER_NAME_TYPE = "an offer's name";
  private static final String DATE_TYPE = "date, or date-time with offset";
  private static final Section<Quota> QUOTA =
      RecordSection.define(Quota.class)
          .codec(
              "uses",
              MapCodecs.nonEmpty(
                  OFFER_NAME, OFFER_NAME_TYPE, NumberCodecs.wholeNumber(1, Integer.MAX_VALUE)))
          .section();

  private static final RecordSection<OfferCatalog> FIELDS =
      RecordSection.define(OfferCatalog.class)
          .codec("date", StringCodecs.checked(DATE_TYPE, OffersFile::readDate))
          .codec("offers", ListCodecs.nonEmpty(OfferSection.SECTION))
          .codec("quotas", ListCodecs.nonEmpty(QUOTA))
          .codec(
              "priceDates",
              MapCodecs.nonEmpty(
                  OFFER_NAME,
                  OFFER_NAME_TYPE,
                  StringCodecs.checked(DATE_TYPE, OffersFile::readPriceDate)));
  private static final Field<OfferCatalog, List<Offer>> OFFERS = FIELDS.field("offers");
  private static final Field<OfferCatalog, List<Quota>> QUOTAS = FIELDS.field("quotas");

  static final Section<OfferCatalog> SECTION = FIELDS.section(OffersFile::check);

  private OffersFile() {}

  /**
   * Returns the offers, or all problems of the file.
   *
   * @param fileName file name used in messages
   */
  public static ParseResult<OfferCatalog> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, SECTION);
  }

  /**
   * Returns an offers file from which {@link #parse} reads an equal catalog; the catalog has at
   * least one offer.
   */
  public static String write(OfferCatalog catalog) {
    return YamlWriter.write(SECTION.write(catalog));
  }

  /** Also accepts a month, the date of averages. */
  private static ReadResult<String> readPriceDate(String text) {
    return text.matches("[0-9]{4}-[0-9]{2}") ? ReadResult.valid(text) : readDate(text);
  }

  private static ReadResult<String> readDate(String text) {
    return isDate(text) || isMoment(text)
        ? ReadResult.valid(text)
        : ReadResult.invalid(
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

  private static void check(FieldValues fieldValues) {
    Map<String, Integer> seen = new HashMap<>();
    for (FieldValues.ValuePart<Offer> valuePart : fieldValues.parts(OFFERS, OfferSection.SECTION)) {
      String name = valuePart.value().name();
      Integer first = seen.putIfAbsent(name, valuePart.node().place().line());
      if (first != null) {
        fieldValues.problem(
            valuePart, "the offer " + name + " is given twice, first on line " + first, "");
      }
    }
    for (FieldValues.ValuePart<Quota> valuePart : fieldValues.parts(QUOTAS, QUOTA)) {
      for (String offer : valuePart.value().uses().keySet()) {
        if (!seen.containsKey(offer)) {
          fieldValues.problem(
              valuePart,
              "counts " + offer + ", which is not in the list of offers",
              NearestName.hint(offer, seen.keySet()));
        }
      }
    }
  }
}
