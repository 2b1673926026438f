package io.elastune.provisioner.gcp.sdk;

import com.google.cloud.compute.v1.AggregatedListGlobalOperationsRequest;
import com.google.cloud.compute.v1.AggregatedListInstancesRequest;
import com.google.cloud.compute.v1.DeleteInstanceRequest;
import com.google.cloud.compute.v1.GetGuestAttributesInstanceRequest;
import com.google.cloud.compute.v1.GetInstanceRequest;
import com.google.cloud.compute.v1.GetRegionRequest;
import com.google.cloud.compute.v1.GetZoneOperationRequest;
import com.google.cloud.compute.v1.GlobalOperationsClient;
import com.google.cloud.compute.v1.GlobalOperationsSettings;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstanceAggregatedList;
import com.google.cloud.compute.v1.InstancesClient;
import com.google.cloud.compute.v1.InstancesSettings;
import com.google.cloud.compute.v1.Items;
import com.google.cloud.compute.v1.Metadata;
import com.google.cloud.compute.v1.OperationAggregatedList;
import com.google.cloud.compute.v1.RegionsClient;
import com.google.cloud.compute.v1.RegionsSettings;
import com.google.cloud.compute.v1.SetMetadataInstanceRequest;
import com.google.cloud.compute.v1.ZoneOperationsClient;
import com.google.cloud.compute.v1.ZoneOperationsSettings;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.InsertRequest;
import io.elastune.provisioner.gcp.model.InstanceListing;
import io.elastune.provisioner.gcp.model.Operation;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.remote.Lazy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Calls Compute Engine through Google's library. */
public final class SdkCompute implements Compute {
  private static final int PAGE = 500;

  /** The number of values in one filter, which is part of the URL and thus limited in length. */
  private static final int MAX_FILTER_VALUES = 20;

  private static final String UNREACHABLE = "UNREACHABLE";

  private final String project;
  private final SdkClients sdkClients;
  private final SdkCalls sdkCalls;
  private final Lazy<InstancesClient> instances;
  private final Lazy<ZoneOperationsClient> operations;
  private final Lazy<GlobalOperationsClient> histories;
  private final Lazy<RegionsClient> regions;
  private final PlacementPolicies placementPolicies;

  /**
   * Creates clients with the configuration of this machine.
   *
   * @param project the project in the settings; empty for that of the variables or the credentials
   * @throws io.elastune.provisioner.CloudException if there are no credentials or no project
   */
  public SdkCompute(Optional<String> project) {
    this(ClientConfig.load(project));
  }

  SdkCompute(ClientConfig clientConfig) {
    project = clientConfig.project();
    sdkClients = new SdkClients(clientConfig);
    sdkCalls = new SdkCalls(clientConfig);
    instances =
        new Lazy<>(
            () -> sdkClients.create(InstancesSettings.newBuilder(), InstancesClient::create));
    operations =
        new Lazy<>(
            () ->
                sdkClients.create(
                    ZoneOperationsSettings.newBuilder(), ZoneOperationsClient::create));
    histories =
        new Lazy<>(
            () ->
                sdkClients.create(
                    GlobalOperationsSettings.newBuilder(), GlobalOperationsClient::create));
    regions =
        new Lazy<>(() -> sdkClients.create(RegionsSettings.newBuilder(), RegionsClient::create));
    placementPolicies = new PlacementPolicies(project, sdkCalls, sdkClients);
  }

  @Override
  public List<String> zones(String region) {
    GetRegionRequest request =
        GetRegionRequest.newBuilder().setProject(project).setRegion(region).build();
    return sdkCalls
        .call(
            "compute.regions.get",
            () -> regions.get().getCallable().call(request, SdkCalls.withRetries()))
        .getZonesList()
        .stream()
        .map(ResourceNames::lastSegment)
        .sorted()
        .toList();
  }

  @Override
  public Operation insert(InsertRequest order) {
    return ResponseMapper.operation(
        sdkCalls.call(
            ErrorResponse.CREATE,
            () ->
                instances
                    .get()
                    .insertCallable()
                    .call(InsertRequestMapper.request(project, order), SdkCalls.withoutRetries())));
  }

  @Override
  public void createPolicy(String region, String name, String run) {
    placementPolicies.create(region, name, run);
  }

  @Override
  public void deletePolicies(String region, String run) {
    placementPolicies.delete(region, run);
  }

  @Override
  public Operation delete(String zone, String name, String requestId) {
    DeleteInstanceRequest request =
        DeleteInstanceRequest.newBuilder()
            .setProject(project)
            .setZone(zone)
            .setInstance(name)
            .setRequestId(requestId)
            .build();
    return ResponseMapper.operation(
        sdkCalls.call(
            "compute.instances.delete",
            () -> instances.get().deleteCallable().call(request, SdkCalls.withoutRetries())));
  }

  @Override
  public Operation operation(String zone, String name) {
    GetZoneOperationRequest request =
        GetZoneOperationRequest.newBuilder()
            .setProject(project)
            .setZone(zone)
            .setOperation(name)
            .build();
    return ResponseMapper.operation(
        sdkCalls.call(
            "compute.zoneOperations.get",
            () -> operations.get().getCallable().call(request, SdkCalls.withRetries())));
  }

  @Override
  public Optional<GceInstance> find(String zone, String name) {
    return findResource(zone, name).map(ResponseMapper::instance);
  }

  private Optional<Instance> findResource(String zone, String name) {
    GetInstanceRequest request =
        GetInstanceRequest.newBuilder().setProject(project).setZone(zone).setInstance(name).build();
    return sdkCalls.callUnless(
        "compute.instances.get",
        () -> instances.get().getCallable().call(request, SdkCalls.withRetries()),
        answer -> answer.isNotFound() && answer.message().contains("/instances/" + name + "'"));
  }

  @Override
  public InstanceListing listByLabel(String label, Collection<String> values) {
    List<GceInstance> found = new ArrayList<>();
    Set<String> silent = new TreeSet<>();
    List<String> all = List.copyOf(values);
    for (int from = 0; from < all.size(); from += MAX_FILTER_VALUES) {
      String filter =
          all.subList(from, Math.min(all.size(), from + MAX_FILTER_VALUES)).stream()
              .map(value -> "(labels." + label + " = \"" + value + "\")")
              .collect(Collectors.joining(" OR "));
      InstanceListing some = listByFilter(filter);
      found.addAll(some.instances());
      silent.addAll(some.unreachableZones());
    }
    return new InstanceListing(found, silent);
  }

  @Override
  public InstanceListing listByLabel(String label) {
    return listByFilter("labels." + label + ":*");
  }

  private InstanceListing listByFilter(String filter) {
    List<GceInstance> found = new ArrayList<>();
    Set<String> silent = new TreeSet<>();
    PagedLists.forEachPage(
        token -> {
          AggregatedListInstancesRequest request =
              AggregatedListInstancesRequest.newBuilder()
                  .setProject(project)
                  .setFilter(filter)
                  .setMaxResults(PAGE)
                  .setPageToken(token)
                  .build();
          return sdkCalls.call(
              "compute.instances.list",
              () -> instances.get().aggregatedListCallable().call(request, SdkCalls.withRetries()));
        },
        InstanceAggregatedList::getNextPageToken,
        page -> {
          page.getItemsMap()
              .forEach(
                  (scope, list) -> {
                    list.getInstancesList()
                        .forEach(some -> found.add(ResponseMapper.instance(some)));
                    if (list.getWarning().getCode().equals(UNREACHABLE)) {
                      silent.add(ResourceNames.lastSegment(scope));
                    }
                  });
          page.getUnreachablesList().forEach(scope -> silent.add(ResourceNames.lastSegment(scope)));
        });
    return new InstanceListing(found, silent);
  }

  @Override
  public List<Operation> operationHistory(String instanceName) {
    List<Operation> found = new ArrayList<>();
    PagedLists.forEachPage(
        token -> {
          AggregatedListGlobalOperationsRequest request =
              AggregatedListGlobalOperationsRequest.newBuilder()
                  .setProject(project)
                  .setFilter("targetLink eq \".*/instances/" + instanceName + "\"")
                  .setMaxResults(PAGE)
                  .setPageToken(token)
                  .build();
          return sdkCalls.call(
              "compute.globalOperations.list",
              () -> histories.get().aggregatedListCallable().call(request, SdkCalls.withRetries()));
        },
        OperationAggregatedList::getNextPageToken,
        page ->
            page.getItemsMap()
                .values()
                .forEach(
                    list ->
                        list.getOperationsList().stream()
                            .map(ResponseMapper::operation)
                            .filter(some -> some.instance().equals(instanceName))
                            .forEach(found::add)));
    found.sort(Comparator.comparing(Operation::requested));
    return found;
  }

  /** Replaces the whole metadata, unless it has changed since it was read. */
  @Override
  public Operation setMetadata(String zone, String name, String key, String value) {
    Metadata old =
        findResource(zone, name).map(Instance::getMetadata).orElse(Metadata.newBuilder().build());
    Map<String, String> items =
        old.getItemsList().stream()
            .collect(Collectors.toMap(Items::getKey, Items::getValue, (a, b) -> b));
    items.put(key, value);
    SetMetadataInstanceRequest request =
        SetMetadataInstanceRequest.newBuilder()
            .setProject(project)
            .setZone(zone)
            .setInstance(name)
            .setMetadataResource(
                InsertRequestMapper.metadata(items).setFingerprint(old.getFingerprint()))
            .build();
    return ResponseMapper.operation(
        sdkCalls.call(
            "compute.instances.setMetadata",
            () -> instances.get().setMetadataCallable().call(request, SdkCalls.withoutRetries())));
  }

  @Override
  public Map<String, String> guestAttributes(String zone, String name) {
    GetGuestAttributesInstanceRequest request =
        GetGuestAttributesInstanceRequest.newBuilder()
            .setProject(project)
            .setZone(zone)
            .setInstance(name)
            .setQueryPath("elastune/")
            .build();
    return sdkCalls
        .callUnless(
            ErrorResponse.READ_GUEST_ATTRIBUTES,
            () ->
                instances.get().getGuestAttributesCallable().call(request, SdkCalls.withRetries()),
            ErrorResponse::isNotFound)
        .map(ResponseMapper::guestAttributes)
        .orElse(Map.of());
  }

  @Override
  public void close() {
    sdkClients.close();
  }
}
