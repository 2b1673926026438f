package io.elastune.provisioner.gcp.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.InsertRequest;
import io.elastune.provisioner.gcp.model.InstanceListing;
import io.elastune.provisioner.gcp.model.InstancePath;
import io.elastune.provisioner.gcp.model.Operation;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.gcp.node.GuestAttributes;
import io.elastune.provisioner.remote.InstanceApi;
import io.elastune.provisioner.remote.InstanceHistory;
import io.elastune.provisioner.remote.InstanceList;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeReport;
import io.elastune.provisioner.remote.PreparedLaunch;
import io.elastune.provisioner.remote.RemoteInstance;
import io.elastune.provisioner.remote.RemoteOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Adapts Compute Engine in one project. Its calls start operations that may fail later, and it
 * records the operations on each instance for some weeks.
 */
final class ComputeInstanceApi implements InstanceApi {
  /** Compute Engine keeps completed operations for 14 days. */
  private static final Duration OPERATIONS_KEPT = Duration.ofDays(14);

  private static final Duration NOTICE = Duration.ofSeconds(30);

  private final Map<String, RegionSettings> settings;
  private final Compute compute;
  private final InsertRequestFactory insertRequestFactory;

  ComputeInstanceApi(Map<String, RegionSettings> settings, Compute compute) {
    this.settings = settings;
    this.compute = compute;
    insertRequestFactory = new InsertRequestFactory(settings);
  }

  @Override
  public String cloudName() {
    return "Google";
  }

  @Override
  public Duration noticePeriod() {
    return NOTICE;
  }

  @Override
  public Optional<List<Optional<String>>> knownZones(Offer offer) {
    Location location = location(offer);
    if (location.zone().isPresent()) {
      return Optional.of(List.of(location.zone()));
    }
    return Optional.ofNullable(settings.get(location.region()))
        .map(RegionSettings::zones)
        .filter(zones -> !zones.isEmpty())
        .map(ComputeInstanceApi::present);
  }

  @Override
  public List<Optional<String>> zones(Offer offer) {
    return present(compute.zones(location(offer).region()));
  }

  private static Location location(Offer offer) {
    return Location.parse(Gcp.PROVIDER, offer.infra()).orElseThrow();
  }

  private static List<Optional<String>> present(List<String> zones) {
    return zones.stream().map(Optional::of).toList();
  }

  @Override
  public PreparedLaunch prepare(
      LeaseRequest request, Optional<String> zone, Instant expires, int failures) {
    return new Insertion(
        compute,
        request.run(),
        insertRequestFactory.create(request, zone.orElseThrow(), failures, expires));
  }

  /** Inserts one instance; the operation may fail later. */
  private record Insertion(Compute compute, String run, InsertRequest order)
      implements PreparedLaunch {
    @Override
    public Optional<String> zone() {
      return Optional.of(order.zone());
    }

    @Override
    public Launched send() {
      String region = InstancePath.regionOf(order.zone());
      order.policy().ifPresent(policy -> compute.createPolicy(region, policy, run));
      return new Launched(shared(compute.insert(order)), Optional.empty());
    }
  }

  private static RemoteOperation shared(Operation operation) {
    return new RemoteOperation(
        operation.zone() + "/" + operation.name(),
        new InstancePath(operation.zone(), operation.instance()).toString(),
        operation.zone(),
        operation.requested(),
        operation.ended(),
        operation.failure());
  }

  @Override
  public RemoteOperation poll(RemoteOperation pending) {
    InstancePath name = InstancePath.parse(pending.name());
    return shared(compute.operation(name.zone(), name.name()));
  }

  @Override
  public InstanceList list(String tag, Collection<String> values) {
    InstanceListing found =
        compute.listByLabel(
            tag, values.stream().map(ResourceNames::labelValue).sorted().distinct().toList());
    return new InstanceList(
        found.instances().stream().map(ComputeInstanceApi::shared).toList(),
        found.unreachableZones());
  }

  private static RemoteInstance shared(GceInstance instance) {
    return new RemoteInstance(
        instance.path(),
        instance.id(),
        instance.tag(Tags.LEASE),
        instance.tag(Tags.RUN),
        instance.type(),
        instance.market(),
        instance.zone(),
        instance.stage(),
        instance.status(),
        instance.address(),
        instance.created(),
        Optional.empty());
  }

  @Override
  public Optional<RemoteInstance> find(String id) {
    InstancePath path = InstancePath.parse(id);
    return compute.find(path.zone(), path.name()).map(ComputeInstanceApi::shared);
  }

  @Override
  public Optional<RemoteOperation> terminate(List<String> ids, String token) {
    InstancePath path = InstancePath.parse(ids.get(0));
    String requestId = ResourceNames.requestId("delete", path.zone(), path.name(), token);
    return Optional.of(shared(compute.delete(path.zone(), path.name(), requestId)));
  }

  @Override
  public Optional<RemoteOperation> extendExpiry(List<String> ids, Instant expires) {
    InstancePath path = InstancePath.parse(ids.get(0));
    String value = Long.toString(expires.getEpochSecond());
    return Optional.of(shared(compute.setMetadata(path.zone(), path.name(), Tags.EXPIRES, value)));
  }

  /** Google has no calls for several instances. */
  @Override
  public int batchSize() {
    return 1;
  }

  @Override
  public boolean recordsHistory() {
    return true;
  }

  @Override
  public Duration remembersEnded() {
    return OPERATIONS_KEPT;
  }

  @Override
  public InstanceHistory history(String lease) {
    OperationHistory history =
        new OperationHistory(compute.operationHistory(ResourceNames.instanceName(lease)));
    return new InstanceHistory(
        history.insertion().map(ComputeInstanceApi::shared),
        history.endTime(),
        history.isPreempted(),
        history.lastSystemOperation(),
        Optional.empty());
  }

  /** Lists show that Google is stopping an instance, and its history shows why. */
  @Override
  public Set<String> interruptionNotices(Collection<String> ids) {
    return Set.of();
  }

  /** Google's list prices are those of the offers. */
  @Override
  public OptionalDouble chargedUsdPerHour(RemoteInstance instance) {
    return OptionalDouble.empty();
  }

  @Override
  public Optional<NodeReport> bootReport(String id) {
    InstancePath path = InstancePath.parse(id);
    return GuestAttributes.report(compute.guestAttributes(path.zone(), path.name()));
  }

  @Override
  public void deleteGroups(String run) {
    settings.keySet().forEach(region -> compute.deletePolicies(region, run));
  }

  @Override
  public void close() {
    compute.close();
  }
}
