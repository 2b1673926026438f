package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.MarketChoice;
import io.elastune.core.job.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code resources} of a job file. */
final class ResourcesSection {
  private static final int MOST_LABELS = 40;
  private static final int LONGEST_LABEL_VALUE = 255;
  private static final Pattern LABEL = Pattern.compile("[A-Za-z][A-Za-z0-9_.:/=+@-]{0,126}");
  private static final Pattern GOOGLE_LABEL = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern GOOGLE_LABEL_VALUE = Pattern.compile("[a-z0-9_-]{0,63}");
  private static final Pattern RESERVED_LABEL = Pattern.compile("(?i)(aws:|elastune-|goog-).*");

  private static final Field<Resources, List<String>> INFRA =
      Field.withDefault(
          "infra",
          ListCodecs.distinct(InfraCodec.CODEC),
          List.of(InfraCodec.LOCAL),
          Resources::infra,
          "Where instances are rented.",
          "[aws/us-east-1]");
  private static final Field<Resources, List<String>> INSTANCE_TYPES =
      Field.optional(
          "instance_types",
          ListCodecs.distinct(StringCodecs.text()),
          "all",
          resources -> Optional.of(resources.instanceTypes()).filter(types -> !types.isEmpty()),
          "Allowed instance types.",
          "[g5.12xlarge, g5.xlarge]");
  private static final Field<Resources, List<String>> GPU =
      Field.optional(
          "gpu",
          ListCodecs.distinct(StringCodecs.text()),
          "all",
          resources -> Optional.of(resources.gpus()).filter(models -> !models.isEmpty()),
          "Allowed GPU models; upper and lower case are equal.",
          "[A10G, L4]");
  private static final Field<Resources, MarketChoice> MARKET =
      Field.withDefault(
          "market",
          StringCodecs.word(MarketChoice.values()),
          MarketChoice.ON_DEMAND,
          Resources::market,
          "`auto` uses spot where the deadline allows it, else on demand. Interruptions are"
              + " excluded if the offers state no rate.",
          "on-demand");
  private static final Field<Resources, String> OFFERS =
      Field.optional(
          "offers",
          StringCodecs.text(),
          "the provider's own",
          Resources::offers,
          "File with offers to use instead of the provider's; relative to the job file.",
          "offers.yaml");
  private static final int DEFAULT_MAX_INSTANCES = 16;

  private static final Field<Resources, Integer> MAX_INSTANCES =
      Field.optional(
          "max_instances",
          NumberCodecs.wholeNumber(1, FileValueLimits.MAX_INSTANCES),
          String.valueOf(DEFAULT_MAX_INSTANCES),
          resources ->
              Optional.of(resources.maxInstances()).filter(n -> resources.instances().isEmpty()),
          "Maximum number of instances at any time.",
          "16");
  private static final Field<Resources, Integer> INSTANCES =
      Field.optional(
          "instances",
          NumberCodecs.wholeNumber(1, FileValueLimits.MAX_INSTANCES),
          "chosen by the plan",
          Resources::instances,
          "Instances of a fixed cluster: requested at the start, and held to the end.",
          "2");
  private static final Field<Resources, Double> MAX_HOURLY_USD =
      Field.optional(
          "max_hourly_usd",
          FileValueLimits.positiveUsd("USD per hour"),
          "no limit",
          resources -> Optionals.boxed(resources.maxHourlyUsd()),
          "Maximum price of all instances together.",
          "60");
  private static final Field<Resources, Double> DISCOUNT =
      Field.withDefault(
          "discount",
          QuantityCodecs.fraction(false),
          0.0,
          Resources::discount,
          "Reduction of every `usd_per_hour`. Data-in, disks, per-use charges and storage are"
              + " not reduced.",
          "10%");
  private static final Field<Resources, Double> CONTROLLER =
      Field.withDefault(
          "controller_usd_per_hour",
          FileValueLimits.usd("USD per hour"),
          0.0,
          Resources::controllerUsdPerHour,
          "Price of the machine that runs Elastune itself, charged for the duration of the run.",
          "0.10");
  private static final Field<Resources, Map<String, String>> LABELS =
      Field.withDefault(
          "labels",
          MapCodecs.of(
              LABEL,
              "a label: a letter, then up to 126 letters, digits and _.:/=+@-",
              StringCodecs.textOrEmpty()),
          Map.of(),
          Resources::labels,
          "Additional tags for every resource that is created; lowercase on Google Cloud.",
          "{team: vision}");

  private static final Field<Resources, Duration> WAIT_FOR_CAPACITY =
      Field.optional(
          "wait_for_capacity",
          QuantityCodecs.duration(Duration.ofSeconds(1)),
          "stop at once",
          Resources::waitForCapacity,
          "How long a run retries if the cloud has no capacity in any allowed zone for any allowed"
              + " instance type; the time counts toward the deadline.",
          "30m");

  static final Section<Resources> SECTION =
      Section.<Resources>of(
              "resources",
              "Which offers may be rented.",
              List.of(
                  INFRA,
                  INSTANCE_TYPES,
                  GPU,
                  MARKET,
                  OFFERS,
                  MAX_INSTANCES,
                  INSTANCES,
                  MAX_HOURLY_USD,
                  DISCOUNT,
                  CONTROLLER,
                  LABELS,
                  WAIT_FOR_CAPACITY),
              ResourcesSection::build)
          .withValidation(ResourcesSection::check);

  private ResourcesSection() {}

  private static void check(FieldValues fieldValues) {
    if (fieldValues.isGiven(INSTANCES) && fieldValues.isGiven(MAX_INSTANCES)) {
      fieldValues.problem(
          INSTANCES, "cannot be combined with max_instances", "leave one of them out");
    }
    boolean google =
        fieldValues.find(INFRA).orElse(List.of()).stream()
            .anyMatch(place -> place.startsWith("gcp/"));
    List<FieldValues.ValuePart<String>> labels =
        fieldValues.parts(LABELS, StringCodecs.textOrEmpty());
    if (labels.size() > MOST_LABELS) {
      fieldValues.problem(LABELS, "must be at most " + MOST_LABELS, "");
    }
    for (FieldValues.ValuePart<String> label : labels) {
      if (RESERVED_LABEL.matcher(label.name()).matches()) {
        fieldValues.problem(label, "aws:, goog- and elastune- are reserved", "choose another name");
      }
      if (label.value().length() > LONGEST_LABEL_VALUE) {
        fieldValues.problem(label, "is longer than " + LONGEST_LABEL_VALUE + " characters", "");
      }
      boolean legal =
          !LABEL.matcher(label.name()).matches()
              || (GOOGLE_LABEL.matcher(label.name()).matches()
                  && GOOGLE_LABEL_VALUE.matcher(label.value()).matches());
      if (google && !legal) {
        fieldValues.problem(
            label,
            "on Google Cloud, names and values have at most 63 of a-z, 0-9, '_' and '-'",
            "");
      }
    }
  }

  private static Resources build(FieldValues fieldValues) {
    return new Resources(
        fieldValues.get(INFRA),
        fieldValues.find(INSTANCE_TYPES).orElse(List.of()),
        fieldValues.find(GPU).orElse(List.of()),
        fieldValues.get(MARKET),
        fieldValues.find(OFFERS),
        fieldValues
            .find(INSTANCES)
            .or(() -> fieldValues.find(MAX_INSTANCES))
            .orElse(DEFAULT_MAX_INSTANCES),
        Optionals.unboxed(fieldValues.find(MAX_HOURLY_USD)),
        fieldValues.get(DISCOUNT),
        fieldValues.get(CONTROLLER),
        fieldValues.get(LABELS),
        fieldValues.find(WAIT_FOR_CAPACITY),
        fieldValues.find(INSTANCES));
  }
}
