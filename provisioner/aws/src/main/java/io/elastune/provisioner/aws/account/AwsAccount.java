package io.elastune.provisioner.aws.account;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.TaggedInstance;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.InstanceState;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.offers.LiveOffers;
import io.elastune.provisioner.aws.offers.ShippedOffers;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.ParallelCalls;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Queries an AWS account, all regions at the same time, with a client for each. */
public final class AwsAccount implements CloudAccount {
  private final AccountClients clients;
  private final InstantSource time;
  private final Supplier<Optional<PreflightChecks>> preflightChecks;

  /**
   * Creates the account without any remote call.
   *
   * @param preflightChecks reads the settings and returns the checks for {@link #check}
   */
  public AwsAccount(
      AccountClients clients,
      InstantSource time,
      Supplier<Optional<PreflightChecks>> preflightChecks) {
    this.clients = clients;
    this.time = time;
    this.preflightChecks = preflightChecks;
  }

  @Override
  public boolean isConfigured() {
    return clients.isConfigured();
  }

  @Override
  public Optional<String> unavailableReason() {
    return clients.unavailableReason();
  }

  @Override
  public List<TaggedInstance> instances(List<String> places) {
    List<Location> wanted = places.stream().map(AwsAccount::place).toList();
    List<String> regions =
        wanted.isEmpty()
            ? clients.regions()
            : wanted.stream().map(Location::region).distinct().sorted().toList();
    return ParallelCalls.map(regions, region -> instances(region, wanted)).stream()
        .flatMap(List::stream)
        .toList();
  }

  private static Location place(String infra) {
    return Location.required(Aws.PROVIDER, infra);
  }

  private List<TaggedInstance> instances(String region, List<Location> wanted) {
    // Spot prices would need a remote call.
    Map<String, Double> prices = ShippedOffers.onDemandUsdPerHour(region);
    try (Ec2 ec2 = clients.ec2(region)) {
      return ec2.listByTag(Tags.RUN).stream()
          .filter(instance -> instance.state() != InstanceState.TERMINATED)
          .filter(instance -> wanted.isEmpty() || wanted.stream().anyMatch(p -> isIn(instance, p)))
          .map(instance -> tagged(region, instance, prices))
          .toList();
    }
  }

  private static boolean isIn(Ec2Instance instance, Location location) {
    return location.zone().map(zone -> zone.equals(instance.zone())).orElse(true);
  }

  private static TaggedInstance tagged(
      String region, Ec2Instance instance, Map<String, Double> prices) {
    Double price = instance.market() == Market.SPOT ? null : prices.get(instance.type());
    return new TaggedInstance(
        Aws.PROVIDER,
        region,
        instance.id(),
        instance.type(),
        instance.tags().getOrDefault(Tags.RUN, ""),
        instance.tags().getOrDefault(Tags.OWNER, ""),
        Tags.expiry(instance.tags().getOrDefault(Tags.EXPIRES, "")),
        price == null ? OptionalDouble.empty() : OptionalDouble.of(price));
  }

  @Override
  public void terminate(Collection<TaggedInstance> instances) {
    Map<String, List<String>> byRegion =
        instances.stream()
            .collect(
                Collectors.groupingBy(
                    TaggedInstance::region,
                    TreeMap::new,
                    Collectors.mapping(TaggedInstance::id, Collectors.toList())));
    ParallelCalls.forEach(
        List.copyOf(byRegion.entrySet()),
        some -> {
          try (Ec2 ec2 = clients.ec2(some.getKey())) {
            ec2.terminate(some.getValue());
          }
        });
  }

  @Override
  public OfferCatalog offers(List<String> places) {
    List<Location> wanted =
        places.isEmpty()
            ? List.of(Location.ofRegion(Aws.PROVIDER, clients.defaultRegion()))
            : places.stream().map(AwsAccount::place).toList();
    Map<String, RegionSettings> settings = clients.settings();
    return new LiveOffers(
            clients::prices,
            clients::directory,
            region ->
                Optional.ofNullable(settings.get(region))
                    .map(RegionSettings::charges)
                    .orElseGet(() -> NodeCharges.withoutSettings(true)))
        .in(wanted, time.instant());
  }

  @Override
  public List<CheckResult> check(CapacityRequest capacityRequest) {
    return preflightChecks
        .get()
        .map(some -> some.run(capacityRequest))
        .orElseGet(() -> List.of(PreflightChecks.missingSettings(clients.settingsName())));
  }

  @Override
  public void close() {
    // Every method closes the clients that it opens.
  }
}
