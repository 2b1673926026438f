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
import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.InsertOrder;
import io.elastune.provisioner.gcp.account.Listing;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Operation;
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
  private final Clients clients;
  private final Calls calls;
  private final Lazy<InstancesClient> instances;
  private final Lazy<ZoneOperationsClient> operations;
  private final Lazy<GlobalOperationsClient> histories;
  private final Lazy<RegionsClient> regions;
  private final Policies policies;

  /**
   * Creates clients with the configuration of this machine.
   *
   * @param project the project in the settings; empty for that of the variables or the credentials
   * @throws io.elastune.provisioner.CloudException if there are no credentials or no project
   */
  public SdkCompute(Optional<String> project) {
    this(Account.find(project));
  }

  SdkCompute(Account account) {
    project = account.project();
    clients = new Clients(account);
    calls = new Calls(account);
    instances =
        new Lazy<>(() -> clients.of(InstancesSettings.newBuilder(), InstancesClient::create));
    operations =
        new Lazy<>(
            () -> clients.of(ZoneOperationsSettings.newBuilder(), ZoneOperationsClient::create));
    histories =
        new Lazy<>(
            () ->
                clients.of(GlobalOperationsSettings.newBuilder(), GlobalOperationsClient::create));
    regions = new Lazy<>(() -> clients.of(RegionsSettings.newBuilder(), RegionsClient::create));
    policies = new Policies(project, calls, clients);
  }

  @Override
  public List<String> zones(String region) {
    GetRegionRequest request =
        GetRegionRequest.newBuilder().setProject(project).setRegion(region).build();
    return calls
        .make(
            "compute.regions.get", () -> regions.get().getCallable().call(request, Calls.asking()))
        .getZonesList()
        .stream()
        .map(Names::last)
        .sorted()
        .toList();
  }

  @Override
  public Operation insert(InsertOrder order) {
    return Answers.operation(
        calls.make(
            "compute.instances.create",
            () ->
                instances
                    .get()
                    .insertCallable()
                    .call(Inserts.request(project, order), Calls.once())));
  }

  @Override
  public void makePolicy(String region, String name, String run) {
    policies.make(region, name, run);
  }

  @Override
  public void removePolicies(String region, String run) {
    policies.remove(region, run);
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
    return Answers.operation(
        calls.make(
            "compute.instances.delete",
            () -> instances.get().deleteCallable().call(request, Calls.once())));
  }

  @Override
  public Operation operation(String zone, String name) {
    GetZoneOperationRequest request =
        GetZoneOperationRequest.newBuilder()
            .setProject(project)
            .setZone(zone)
            .setOperation(name)
            .build();
    return Answers.operation(
        calls.make(
            "compute.zoneOperations.get",
            () -> operations.get().getCallable().call(request, Calls.asking())));
  }

  @Override
  public Optional<GceInstance> find(String zone, String name) {
    return findResource(zone, name).map(Answers::instance);
  }

  private Optional<Instance> findResource(String zone, String name) {
    GetInstanceRequest request =
        GetInstanceRequest.newBuilder().setProject(project).setZone(zone).setInstance(name).build();
    return calls.makeUnless(
        "compute.instances.get",
        () -> instances.get().getCallable().call(request, Calls.asking()),
        answer -> answer.notFound() && answer.message().contains("/instances/" + name + "'"));
  }

  @Override
  public Listing withLabel(String label, Collection<String> values) {
    List<GceInstance> found = new ArrayList<>();
    Set<String> silent = new TreeSet<>();
    List<String> all = List.copyOf(values);
    for (int from = 0; from < all.size(); from += MAX_FILTER_VALUES) {
      String filter =
          all.subList(from, Math.min(all.size(), from + MAX_FILTER_VALUES)).stream()
              .map(value -> "(labels." + label + " = \"" + value + "\")")
              .collect(Collectors.joining(" OR "));
      Listing some = listByFilter(filter);
      found.addAll(some.instances());
      silent.addAll(some.silent());
    }
    return new Listing(found, silent);
  }

  @Override
  public Listing withLabel(String label) {
    return listByFilter("labels." + label + ":*");
  }

  private Listing listByFilter(String filter) {
    List<GceInstance> found = new ArrayList<>();
    Set<String> silent = new TreeSet<>();
    Pages.turn(
        token -> {
          AggregatedListInstancesRequest request =
              AggregatedListInstancesRequest.newBuilder()
                  .setProject(project)
                  .setFilter(filter)
                  .setMaxResults(PAGE)
                  .setPageToken(token)
                  .build();
          return calls.make(
              "compute.instances.list",
              () -> instances.get().aggregatedListCallable().call(request, Calls.asking()));
        },
        InstanceAggregatedList::getNextPageToken,
        page -> {
          page.getItemsMap()
              .forEach(
                  (scope, list) -> {
                    list.getInstancesList().forEach(some -> found.add(Answers.instance(some)));
                    if (list.getWarning().getCode().equals(UNREACHABLE)) {
                      silent.add(Names.last(scope));
                    }
                  });
          page.getUnreachablesList().forEach(scope -> silent.add(Names.last(scope)));
        });
    return new Listing(found, silent);
  }

  @Override
  public List<Operation> history(String instanceName) {
    List<Operation> found = new ArrayList<>();
    Pages.turn(
        token -> {
          AggregatedListGlobalOperationsRequest request =
              AggregatedListGlobalOperationsRequest.newBuilder()
                  .setProject(project)
                  .setFilter("targetLink eq \".*/instances/" + instanceName + "\"")
                  .setMaxResults(PAGE)
                  .setPageToken(token)
                  .build();
          return calls.make(
              "compute.globalOperations.list",
              () -> histories.get().aggregatedListCallable().call(request, Calls.asking()));
        },
        OperationAggregatedList::getNextPageToken,
        page ->
            page.getItemsMap()
                .values()
                .forEach(
                    list ->
                        list.getOperationsList().stream()
                            .map(Answers::operation)
                            .filter(some -> some.instance().equals(instanceName))
                            .forEach(found::add)));
    found.sort(Comparator.comparing(Operation::requested));
    return found;
  }

  /** Replaces the whole metadata, unless it has changed since it was read. */
  @Override
  public Operation note(String zone, String name, String key, String value) {
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
            .setMetadataResource(Inserts.metadata(items).setFingerprint(old.getFingerprint()))
            .build();
    return Answers.operation(
        calls.make(
            "compute.instances.setMetadata",
            () -> instances.get().setMetadataCallable().call(request, Calls.once())));
  }

  @Override
  public Map<String, String> told(String zone, String name) {
    GetGuestAttributesInstanceRequest request =
        GetGuestAttributesInstanceRequest.newBuilder()
            .setProject(project)
            .setZone(zone)
            .setInstance(name)
            .setQueryPath("elastune/")
            .build();
    return calls
        .makeUnless(
            "compute.instances.getGuestAttributes",
            () -> instances.get().getGuestAttributesCallable().call(request, Calls.asking()),
            ErrorAnswer::notFound)
        .map(Answers::told)
        .orElse(Map.of());
  }

  @Override
  public void close() {
    clients.close();
  }
}
