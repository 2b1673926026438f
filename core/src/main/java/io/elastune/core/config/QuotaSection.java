package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.offer.Quota;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The section for one quota of an offers file. */
final class QuotaSection {
  private static final int MOST = Integer.MAX_VALUE;

  private static final Field<Quota, String> NAME =
      Field.required(
          "name",
          StringCodecs.text(),
          Quota::name,
          "The provider's name of the quota.",
          "Running On-Demand P instances");
  private static final Field<Quota, String> UNIT =
      Field.withDefault(
          "unit",
          StringCodecs.text(),
          "instances",
          Quota::unit,
          "Unit in which it is counted.",
          "vCPU");
  private static final Field<Quota, Integer> LIMIT =
      Field.required(
          "limit",
          NumberCodecs.wholeNumber(0, MOST),
          Quota::limit,
          "Maximum that may be held at once by all instances together.",
          "64");

  /** Quota units per instance, by offer name. */
  static final Field<Quota, Map<String, Integer>> USES =
      Field.required(
          "uses",
          MapCodecs.nonEmpty(
              Pattern.compile(".+"), "an offer's name", NumberCodecs.wholeNumber(1, MOST)),
          Quota::uses,
          "Quota units per instance, by offer name. Quotas may overlap.",
          "{aws/us-east-1/p3.8xlarge/on-demand: 32}");

  static final Section<Quota> SECTION =
      Section.of(
          "quotas",
          "A quota of the account on a group of offers, in addition to the limits of the job.",
          List.of(NAME, UNIT, LIMIT, USES),
          fieldValues ->
              new Quota(
                  fieldValues.get(NAME),
                  fieldValues.get(UNIT),
                  fieldValues.get(LIMIT),
                  fieldValues.get(USES)));

  private QuotaSection() {}
}
