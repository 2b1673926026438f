package io.elastune.provisioner.aws;

import io.elastune.core.config.FileProblem;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.SettingsProblems;
import io.elastune.provisioner.aws.account.AccountClients;
import io.elastune.provisioner.aws.account.AwsAccount;
import io.elastune.provisioner.aws.account.PreflightChecks;
import io.elastune.provisioner.aws.cloud.AwsCloud;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.aws.offers.ShippedOffers;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.sdk.SdkPriceList;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.RegionBuckets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Provides GPU instances of Amazon EC2. */
public final class AwsCloudProvider implements CloudProvider {
  @Override
  public String name() {
    return Aws.PROVIDER;
  }

  @Override
  public Optional<OfferCatalog> builtInOffers(List<String> places) {
    return ShippedOffers.in(places.stream().flatMap(AwsCloudProvider::places).toList());
  }

  private static Stream<Location> places(String infra) {
    return infra.equals(Aws.PROVIDER)
        ? Stream.of(ShippedOffers.defaultPlace())
        : Location.parse(Aws.PROVIDER, infra).stream();
  }

  @Override
  public List<String> restrictedSales(String instanceType) {
    return ShippedOffers.restrictedSales(instanceType);
  }

  /** A VPC spans the zones of one region. */
  @Override
  public String network(CloudContext context, String infra) {
    return Location.parse(Aws.PROVIDER, infra).map(Location::region).orElse(infra);
  }

  @Override
  public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
    return AwsCloud.open(
        SettingsReader.read(context.settings()),
        SdkEc2::new,
        region -> new SdkPriceList(region, context.time()),
        context.time(),
        AwsCloud.PACE,
        events);
  }

  @Override
  public Optional<String> bucket(CloudContext context, List<String> places) {
    if (!Files.exists(context.settings())) {
      return Optional.empty();
    }
    Map<String, Optional<String>> buckets = new LinkedHashMap<>();
    SettingsReader.read(context.settings())
        .forEach((region, settings) -> buckets.put(region, settings.bucket()));
    return RegionBuckets.select(Aws.PROVIDER, places, buckets).map(name -> "s3://" + name);
  }

  @Override
  public List<FileProblem> settingsProblems(CloudContext context) {
    return SettingsReader.hasSection(context.settings())
        ? SettingsProblems.of(() -> SettingsReader.read(context.settings()))
        : List.of();
  }

  @Override
  public Optional<CloudAccount> account(CloudContext context) {
    AccountClients clients = new SdkAccountClients(context);
    return Optional.of(
        new AwsAccount(
            clients,
            context.time(),
            () ->
                Files.exists(context.settings())
                    ? Optional.of(
                        new PreflightChecks(clients, SettingsReader.read(context.settings())))
                    : Optional.empty()));
  }
}
