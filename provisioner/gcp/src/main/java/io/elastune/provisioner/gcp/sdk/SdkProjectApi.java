package io.elastune.provisioner.gcp.sdk;

import com.google.auth.oauth2.ServiceAccountCredentials;
import com.google.cloud.compute.v1.AcceleratorTypeAggregatedList;
import com.google.cloud.compute.v1.AcceleratorTypesClient;
import com.google.cloud.compute.v1.AcceleratorTypesSettings;
import com.google.cloud.compute.v1.Accelerators;
import com.google.cloud.compute.v1.AggregatedListAcceleratorTypesRequest;
import com.google.cloud.compute.v1.AggregatedListMachineTypesRequest;
import com.google.cloud.compute.v1.GetProjectRequest;
import com.google.cloud.compute.v1.GetRegionRequest;
import com.google.cloud.compute.v1.MachineType;
import com.google.cloud.compute.v1.MachineTypeAggregatedList;
import com.google.cloud.compute.v1.MachineTypesClient;
import com.google.cloud.compute.v1.MachineTypesSettings;
import com.google.cloud.compute.v1.ProjectsClient;
import com.google.cloud.compute.v1.ProjectsSettings;
import com.google.cloud.compute.v1.Quota;
import com.google.cloud.compute.v1.RegionsClient;
import com.google.cloud.compute.v1.RegionsSettings;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.AttachedGpus;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.remote.Lazy;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Reads identity, quotas and machine types of a project through Google's library. */
public final class SdkProjectApi implements ProjectApi {
  private static final String ENDPOINT = "https://compute.googleapis.com";
  private static final int TIMEOUT_MS = 10_000;
  private static final double MB_PER_GB = 1024;

  /** Matches the machine families with built-in GPUs. */
  private static final String GPU_FAMILIES = "name eq \"(a[2-9]x?|g[2-9])-.*\"";

  private final ClientConfig clientConfig;
  private final InstantSource time;
  private final SdkClients sdkClients;
  private final Lazy<ProjectsClient> projects;
  private final Lazy<RegionsClient> regions;
  private final SdkCalls sdkCalls;

  /**
   * Creates clients with the configuration of this machine.
   *
   * @param project the project in the settings; empty for that of the variables or the credentials
   * @param time the local clock, with which Google's is compared
   */
  public SdkProjectApi(Optional<String> project, InstantSource time) {
    this(ClientConfig.load(project), time);
  }

  SdkProjectApi(ClientConfig clientConfig, InstantSource time) {
    this.clientConfig = clientConfig;
    this.time = time;
    sdkClients = new SdkClients(clientConfig);
    sdkCalls = new SdkCalls(clientConfig);
    projects =
        new Lazy<>(() -> sdkClients.create(ProjectsSettings.newBuilder(), ProjectsClient::create));
    regions =
        new Lazy<>(() -> sdkClients.create(RegionsSettings.newBuilder(), RegionsClient::create));
  }

  @Override
  public Identity identity() {
    sdkCalls.call("compute.projects.get", this::project);
    String who =
        clientConfig.credentials() instanceof ServiceAccountCredentials service
            ? service.getClientEmail()
            : "application default credentials";
    return new Identity(who, clientConfig.project(), clockOffset());
  }

  /** Any response of Google has its time in a header, even one for a missing page. */
  private Duration clockOffset() {
    try {
      URI page = URI.create(clientConfig.endpoint().orElse(ENDPOINT) + "/");
      HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
      connection.setRequestMethod("HEAD");
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
      long date = connection.getHeaderFieldDate("Date", 0);
      connection.disconnect();
      return date == 0
          ? Duration.ZERO
          : Duration.between(time.instant(), Instant.ofEpochMilli(date));
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.UnknownOutcome(
              "reading Google's clock failed: " + ExceptionMessages.ofCall(e, "Google")),
          e);
    }
  }

  private com.google.cloud.compute.v1.Project project() {
    return projects
        .get()
        .getCallable()
        .call(
            GetProjectRequest.newBuilder().setProject(clientConfig.project()).build(),
            SdkCalls.withRetries());
  }

  @Override
  public Map<String, QuotaLimit> quotas() {
    return read(sdkCalls.call("compute.projects.get", () -> project().getQuotasList()));
  }

  @Override
  public Map<String, QuotaLimit> quotas(String region) {
    GetRegionRequest request =
        GetRegionRequest.newBuilder().setProject(clientConfig.project()).setRegion(region).build();
    return read(
        sdkCalls.call(
            "compute.regions.get",
            () ->
                regions.get().getCallable().call(request, SdkCalls.withRetries()).getQuotasList()));
  }

  private static Map<String, QuotaLimit> read(List<Quota> quotas) {
    Map<String, QuotaLimit> read = new HashMap<>();
    quotas.forEach(
        quota -> read.put(quota.getMetric(), new QuotaLimit(quota.getLimit(), quota.getUsage())));
    return read;
  }

  @Override
  public Map<GpuType, List<String>> gpuTypes(String region) {
    Map<GpuType, List<String>> types = builtInTypes(region);
    attachable(region, (zone, type) -> add(types, zone, type));
    return types;
  }

  @Override
  public Map<GpuType, List<String>> builtInTypes(String region) {
    Map<GpuType, List<String>> types =
        new TreeMap<>(Comparator.comparing(GpuType::name).thenComparing(GpuType::gpus));
    builtIn(region, (zone, type) -> add(types, zone, type));
    return types;
  }

  private static void add(Map<GpuType, List<String>> types, String zone, GpuType type) {
    types.computeIfAbsent(type, some -> new ArrayList<>()).add(zone);
  }

  private void builtIn(String region, BiConsumer<String, GpuType> add) {
    MachineTypesClient client =
        sdkClients.create(MachineTypesSettings.newBuilder(), MachineTypesClient::create);
    PagedLists.forEachPage(
        token -> {
          AggregatedListMachineTypesRequest request =
              AggregatedListMachineTypesRequest.newBuilder()
                  .setProject(clientConfig.project())
                  .setFilter(GPU_FAMILIES)
                  .setPageToken(token)
                  .build();
          return sdkCalls.call(
              "compute.machineTypes.list",
              () -> client.aggregatedListCallable().call(request, SdkCalls.withRetries()));
        },
        MachineTypeAggregatedList::getNextPageToken,
        page ->
            PagedLists.forEachZone(
                page.getItemsMap(),
                region,
                (zone, list) ->
                    list.getMachineTypesList().stream()
                        .flatMap(type -> gpuType(type).stream())
                        .forEach(type -> add.accept(zone, type))));
  }

  private void attachable(String region, BiConsumer<String, GpuType> add) {
    AcceleratorTypesClient client =
        sdkClients.create(AcceleratorTypesSettings.newBuilder(), AcceleratorTypesClient::create);
    PagedLists.forEachPage(
        token -> {
          AggregatedListAcceleratorTypesRequest request =
              AggregatedListAcceleratorTypesRequest.newBuilder()
                  .setProject(clientConfig.project())
                  .setPageToken(token)
                  .build();
          return sdkCalls.call(
              "compute.acceleratorTypes.list",
              () -> client.aggregatedListCallable().call(request, SdkCalls.withRetries()));
        },
        AcceleratorTypeAggregatedList::getNextPageToken,
        page ->
            PagedLists.forEachZone(
                page.getItemsMap(),
                region,
                (zone, list) ->
                    list.getAcceleratorTypesList().stream()
                        .flatMap(
                            some ->
                                AttachedGpus.types(
                                    some.getName(), some.getMaximumCardsPerInstance())
                                    .stream())
                        .forEach(type -> add.accept(zone, type))));
  }

  private static Optional<GpuType> gpuType(MachineType type) {
    return type.getAcceleratorsList().stream()
        .filter(some -> some.getGuestAcceleratorCount() > 0)
        .map(Accelerators.class::cast)
        .map(
            some ->
                new GpuType(
                    type.getName(),
                    some.getGuestAcceleratorType(),
                    some.getGuestAcceleratorCount(),
                    type.getGuestCpus(),
                    type.getMemoryMb() / MB_PER_GB))
        .findFirst();
  }

  @Override
  public void close() {
    sdkClients.close();
  }
}
