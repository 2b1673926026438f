package io.elastune.provisioner.gcp;

import io.elastune.core.config.FileProblem;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.SettingsProblems;
import io.elastune.provisioner.gcp.account.GcpAccount;
import io.elastune.provisioner.gcp.cloud.GcpCloud;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.ProjectSettings;
import io.elastune.provisioner.gcp.offers.ShippedOffers;
import io.elastune.provisioner.gcp.sdk.SdkCompute;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.RegionBuckets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The provider for Google Cloud: rents GPU instances of Compute Engine. */
public final class GcpCloudProvider implements CloudProvider {
  @Override
  public String name() {
    return Gcp.PROVIDER;
  }

  @Override
  public Optional<OfferCatalog> builtInOffers(List<String> places) {
    return ShippedOffers.in(places.stream().flatMap(GcpCloudProvider::places).toList());
  }

  private static Stream<Location> places(String infra) {
    return infra.equals(Gcp.PROVIDER)
        ? Stream.of(ShippedOffers.defaultPlace())
        : Location.parse(Gcp.PROVIDER, infra).stream();
  }

  @Override
  public List<String> restrictedSales(String instanceType) {
    return ShippedOffers.restrictedSales(instanceType);
  }

  /** A VPC network spans all regions, and its subnetworks belong to one region each. */
  @Override
  public String network(CloudContext context, String infra) {
    Optional<String> region = Location.parse(Gcp.PROVIDER, infra).map(Location::region);
    return SettingsReader.find(context.settings())
        .flatMap(settings -> region.map(settings::networkOf))
        .orElse(ProjectSettings.DEFAULT_NETWORK);
  }

  @Override
  public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
    ProjectSettings settings = SettingsReader.read(context.settings());
    return GcpCloud.open(
        settings.regions(),
        new SdkCompute(settings.project()),
        context.time(),
        GcpCloud.PACE,
        events);
  }

  @Override
  public Optional<String> bucket(CloudContext context, List<String> places) {
    Map<String, Optional<String>> buckets = new LinkedHashMap<>();
    SettingsReader.find(context.settings())
        .ifPresent(
            project ->
                project
                    .regions()
                    .forEach((region, settings) -> buckets.put(region, settings.bucket())));
    return RegionBuckets.select(Gcp.PROVIDER, places, buckets).map(name -> "gs://" + name);
  }

  @Override
  public List<FileProblem> settingsProblems(CloudContext context) {
    return SettingsProblems.of(() -> SettingsReader.find(context.settings()));
  }

  @Override
  public Optional<CloudAccount> account(CloudContext context) {
    return Optional.of(new GcpAccount(new SdkAccountClients(context), context.time()));
  }
}
