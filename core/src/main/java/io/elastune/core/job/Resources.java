package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Items;
import io.elastune.core.offer.Offer;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Which offers a job may rent, and how many instances.
 *
 * @param infra allowed locations; each matches an offer's infra exactly or as a prefix that ends
 *     before a {@code /}
 * @param instanceTypes the allowed instance types; all when empty
 * @param gpus the allowed GPU models; all when empty
 * @param maxInstances those of a fixed cluster, if {@code instances} are given
 */
@RecordBuilder
@FileSection(title = "resources", doc = "Which offers may be rented.")
public record Resources(
    @FileField(doc = "Where instances are rented.", absent = "[local]", example = "[aws/us-east-1]")
        List<String> infra,
    @FileField(
            doc = "Allowed instance types.",
            without = "all",
            example = "[g5.12xlarge, g5.xlarge]")
        @Items(distinct = true)
        List<String> instanceTypes,
    @FileField(
            name = "gpu",
            doc = "Allowed GPU models; upper and lower case are equal.",
            without = "all",
            example = "[A10G, L4]")
        @Items(distinct = true)
        List<String> gpus,
    @FileField(
            doc =
                "`auto` uses spot where the deadline allows it, else on demand. Interruptions are"
                    + " excluded if the offers state no rate.",
            absent = "on-demand",
            example = "on-demand")
        MarketChoice market,
    @FileField(
            doc = "File with offers to use instead of the provider's; relative to the job file.",
            without = "the provider's own",
            example = "offers.yaml")
        Optional<String> offers,
    @FileField(doc = "Maximum number of instances at any time.", without = "16", example = "16")
        @Bounds(least = 1, most = Resources.MOST_INSTANCES)
        int maxInstances,
    @FileField(
            doc = "Instances of a fixed cluster: requested at the start, and held to the end.",
            without = "chosen by the plan",
            example = "2")
        @Bounds(least = 1, most = Resources.MOST_INSTANCES)
        Optional<Integer> instances,
    @FileField(
            doc = "Maximum price of all instances together.",
            without = "no limit",
            example = "60")
        @Bounds(above0 = true, most = Bounds.MOST_USD, unit = "USD per hour")
        OptionalDouble maxHourlyUsd,
    @FileField(
            doc =
                "Reduction of every `usd_per_hour`. Data-in, disks, per-use charges and storage are"
                    + " not reduced.",
            absent = "0",
            example = "10%")
        double discount,
    @FileField(
            doc =
                "Price of the machine that runs Elastune itself, charged for the duration of the"
                    + " run.",
            absent = "0",
            example = "0.10")
        @Bounds(least = 0, most = Bounds.MOST_USD, unit = "USD per hour")
        double controllerUsdPerHour,
    @FileField(
            doc = "Additional tags for every resource that is created; lowercase on Google Cloud.",
            absent = "{}",
            example = "{team: vision}")
        Map<String, String> labels,
    @FileField(
            doc =
                "How long a run retries if the cloud has no capacity in any allowed zone for any"
                    + " allowed instance type; the time counts toward the deadline.",
            without = "stop at once",
            example = "30m")
        Optional<Duration> waitForCapacity) {
  /** The most instances that a file may contain. */
  public static final int MOST_INSTANCES = 10_000;

  public Resources {
    infra = List.copyOf(infra);
    Preconditions.that(!infra.isEmpty(), "resources.infra must name at least one location");
    instanceTypes = List.copyOf(instanceTypes);
    gpus = List.copyOf(gpus);
    Preconditions.atLeast("resources.max_instances", 1, maxInstances);
    int most = maxInstances;
    instances.ifPresent(
        fixed -> {
          Preconditions.atLeast("resources.instances", 1, fixed);
          Preconditions.that(fixed == most, "max_instances must be the instances of the cluster");
        });
    Preconditions.fraction("resources.discount", discount);
    Preconditions.notNegative("resources.controller_usd_per_hour", controllerUsdPerHour);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** Returns these resources with the offers of the providers instead of those of a file. */
  public Resources withoutOffers() {
    return ResourcesBuilder.builder(this).offers(Optional.empty()).build();
  }

  /** Returns whether the job allows {@code offer}. */
  public boolean allows(Offer offer) {
    return market.allows(offer.market()) && allowsInAnyMarket(offer);
  }

  /** Returns whether the job allows {@code offer} except perhaps for its market. */
  public boolean allowsInAnyMarket(Offer offer) {
    return (instanceTypes.isEmpty() || instanceTypes.contains(offer.instanceType()))
        && (gpus.isEmpty() || gpus.stream().anyMatch(offer::hasGpu))
        && infra.stream()
            .anyMatch(
                place -> offer.infra().equals(place) || offer.infra().startsWith(place + "/"));
  }
}
