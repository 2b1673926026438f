package io.elastune.provisioner.gcp.account;

import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.TaggedInstance;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.InstanceListing;
import io.elastune.provisioner.gcp.model.InstancePath;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.gcp.offers.LiveOffers;
import io.elastune.provisioner.gcp.offers.ShippedOffers;
import io.elastune.provisioner.remote.InstanceStage;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.ParallelCalls;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The user's Google Cloud project: lists and terminates instances, and checks the account. */
public final class GcpAccount implements CloudAccount {
  /**
   * After this time, a repeated deletion gets a new request ID. With the same ID, Google would
   * repeat its earlier response.
   */
  private static final long NEW_REQUEST_ID_S = 20;

  private final AccountClients clients;
  private final InstantSource time;

  public GcpAccount(AccountClients clients, InstantSource time) {
    this.clients = clients;
    this.time = time;
  }

  @Override
  public boolean isConfigured() {
    return clients.settings().isPresent();
  }

  @Override
  public Optional<String> unavailableReason() {
    return clients.unavailableReason();
  }

  @Override
  public List<TaggedInstance> instances(List<String> places) {
    List<Location> wanted = places.stream().map(GcpAccount::place).toList();
    try (Compute compute = clients.compute()) {
      InstanceListing instanceListing = compute.listByLabel(Tags.RUN);
      if (!instanceListing.unreachableZones().isEmpty()) {
        throw new CloudException(
            new CloudFailure.UnknownOutcome(
                "Google Cloud did not list the instances of "
                    + String.join(", ", instanceListing.unreachableZones())));
      }
      List<TaggedInstance> there =
          instanceListing.instances().stream()
              .filter(
                  instance -> wanted.isEmpty() || wanted.stream().anyMatch(p -> isIn(instance, p)))
              .map(GcpAccount::tagged)
              .toList();
      if (there.isEmpty()) {
        wanted.forEach(location -> requireExists(location, compute));
      }
      return there;
    }
  }

  /**
   * Checks that the place exists: the list covers all places, and an empty result for an unknown
   * place is no proof.
   */
  private static void requireExists(Location location, Compute compute) {
    List<String> zones = compute.zones(location.region());
    if (location.zone().filter(zone -> !zones.contains(zone)).isPresent()) {
      throw new CloudException(
          new CloudFailure.Invalid(location.infra() + " does not exist: the region has " + zones));
    }
  }

  private static Location place(String infra) {
    return Location.required(Gcp.PROVIDER, infra);
  }

  private static boolean isIn(GceInstance instance, Location location) {
    return location
        .zone()
        .map(instance.zone()::equals)
        .orElse(InstancePath.regionOf(instance.zone()).equals(location.region()));
  }

  private static TaggedInstance tagged(GceInstance instance) {
    String region = InstancePath.regionOf(instance.zone());
    OptionalDouble price =
        instance.stage() == InstanceStage.STOPPED // only its disk is billed, at an unknown price
            ? OptionalDouble.empty()
            : ShippedOffers.usdPerHour(region, instance.type(), instance.market());
    return new TaggedInstance(
        Gcp.PROVIDER,
        region,
        instance.path(),
        instance.type(),
        instance.tag(Tags.RUN).orElse(""),
        instance.tag(Tags.OWNER).orElse(""),
        Tags.expiry(instance.tag(Tags.EXPIRES).orElse("")),
        price);
  }

  @Override
  public void terminate(Collection<TaggedInstance> instances) {
    String when = Long.toString(time.instant().getEpochSecond() / NEW_REQUEST_ID_S);
    try (Compute compute = clients.compute()) {
      ParallelCalls.forEach(
          List.copyOf(instances),
          instance -> {
            String[] path = instance.id().split("/", 2);
            end(compute, path[0], path[1], ResourceNames.requestId("orphan", instance.id(), when));
          });
    }
  }

  private static void end(Compute compute, String zone, String name, String requestId) {
    try {
      compute.delete(zone, name, requestId);
    } catch (CloudException e) {
      boolean gone =
          e.failure() instanceof CloudFailure.Invalid && compute.find(zone, name).isEmpty();
      boolean isUnconfirmed =
          e.failure() instanceof CloudFailure.Throttled
              || e.failure() instanceof CloudFailure.UnknownOutcome;
      if (!gone && !isUnconfirmed) { // the next list shows whether it is gone
        throw e;
      }
    }
  }

  @Override
  public OfferCatalog offers(List<String> places) {
    List<Location> wanted =
        places.isEmpty() ? defaultPlaces() : places.stream().map(GcpAccount::place).toList();
    try (ProjectApi projectApi = clients.directory()) {
      return new LiveOffers(
              projectApi,
              () -> clients.services().gpuFamilyQuotas(),
              clients.prices(),
              this::charges)
          .in(wanted);
    }
  }

  /** Returns the disk and the address of a node by the region's settings, or the default ones. */
  private NodeCharges charges(String region) {
    return clients
        .settings()
        .flatMap(settings -> Optional.ofNullable(settings.regions().get(region)))
        .map(RegionSettings::charges)
        .orElseGet(() -> NodeCharges.withoutSettings(false));
  }

  /** Returns the regions of the settings, or else the default region of the shipped table. */
  private List<Location> defaultPlaces() {
    List<Location> set =
        clients.settings().stream()
            .flatMap(settings -> settings.regions().keySet().stream())
            .map(region -> Location.ofRegion(Gcp.PROVIDER, region))
            .toList();
    return set.isEmpty() ? List.of(ShippedOffers.defaultPlace()) : set;
  }

  @Override
  public List<CheckResult> check(CapacityRequest capacityRequest) {
    return clients
        .settings()
        .map(settings -> new PreflightChecks(clients, settings, time).run(capacityRequest))
        .orElseGet(() -> List.of(PreflightChecks.missingSettings(clients.settingsName())));
  }

  @Override
  public void close() {
    // Every method closes the clients that it opens.
  }
}
