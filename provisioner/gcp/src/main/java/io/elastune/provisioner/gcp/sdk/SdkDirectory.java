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
import io.elastune.provisioner.gcp.account.AttachedGpus;
import io.elastune.provisioner.gcp.account.Directory;
import io.elastune.provisioner.gcp.account.GpuType;
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
public final class SdkDirectory implements Directory {
  private static final String ENDPOINT = "https://compute.googleapis.com";
  private static final int TIMEOUT_MS = 10_000;
  private static final double MB_PER_GB = 1024;

  /** Matches the machine families with built-in GPUs. */
  private static final String GPU_FAMILIES = "name eq \"(a[2-9]|g[2-9])-.*\"";

  private final Account account;
  private final InstantSource time;
  private final Clients clients;
  private final Lazy<ProjectsClient> projects;
  private final Lazy<RegionsClient> regions;
  private final Calls calls;

  /**
   * Creates clients with the configuration of this machine.
   *
   * @param project the project in the settings; empty for that of the variables or the credentials
   * @param time the local clock, with which Google's is compared
   */
  public SdkDirectory(Optional<String> project, InstantSource time) {
    this(Account.find(project), time);
  }

  SdkDirectory(Account account, InstantSource time) {
    this.account = account;
    this.time = time;
    clients = new Clients(account);
    calls = new Calls(account);
    projects = new Lazy<>(() -> clients.of(ProjectsSettings.newBuilder(), ProjectsClient::create));
    regions = new Lazy<>(() -> clients.of(RegionsSettings.newBuilder(), RegionsClient::create));
  }

  @Override
  public Identity identity() {
    calls.make("compute.projects.get", this::project);
    String who =
        account.credentials() instanceof ServiceAccountCredentials service
            ? service.getClientEmail()
            : "application default credentials";
    return new Identity(who, account.project(), clockOffset());
  }

  /** Any response of Google has its time in a header, even one for a missing page. */
  private Duration clockOffset() {
    try {
      URI page = URI.create(account.endpoint().orElse(ENDPOINT) + "/");
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
              "reading Google's clock failed: " + ExceptionMessages.firstLine(e)),
          e);
    }
  }

  private com.google.cloud.compute.v1.Project project() {
    return projects
        .get()
        .getCallable()
        .call(GetProjectRequest.newBuilder().setProject(account.project()).build(), Calls.asking());
  }

  @Override
  public Map<String, Allowance> quotas() {
    return read(calls.make("compute.projects.get", () -> project().getQuotasList()));
  }

  @Override
  public Map<String, Allowance> quotas(String region) {
    GetRegionRequest request =
        GetRegionRequest.newBuilder().setProject(account.project()).setRegion(region).build();
    return read(
        calls.make(
            "compute.regions.get",
            () -> regions.get().getCallable().call(request, Calls.asking()).getQuotasList()));
  }

  private static Map<String, Allowance> read(List<Quota> quotas) {
    Map<String, Allowance> read = new HashMap<>();
    quotas.forEach(
        quota -> read.put(quota.getMetric(), new Allowance(quota.getLimit(), quota.getUsage())));
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
        clients.of(MachineTypesSettings.newBuilder(), MachineTypesClient::create);
    Pages.turn(
        token -> {
          AggregatedListMachineTypesRequest request =
              AggregatedListMachineTypesRequest.newBuilder()
                  .setProject(account.project())
                  .setFilter(GPU_FAMILIES)
                  .setPageToken(token)
                  .build();
          return calls.make(
              "compute.machineTypes.list",
              () -> client.aggregatedListCallable().call(request, Calls.asking()));
        },
        MachineTypeAggregatedList::getNextPageToken,
        page ->
            Pages.inZones(
                page.getItemsMap(),
                region,
                (zone, list) ->
                    list.getMachineTypesList().stream()
                        .flatMap(type -> gpuType(type).stream())
                        .forEach(type -> add.accept(zone, type))));
  }

  private void attachable(String region, BiConsumer<String, GpuType> add) {
    AcceleratorTypesClient client =
        clients.of(AcceleratorTypesSettings.newBuilder(), AcceleratorTypesClient::create);
    Pages.turn(
        token -> {
          AggregatedListAcceleratorTypesRequest request =
              AggregatedListAcceleratorTypesRequest.newBuilder()
                  .setProject(account.project())
                  .setPageToken(token)
                  .build();
          return calls.make(
              "compute.acceleratorTypes.list",
              () -> client.aggregatedListCallable().call(request, Calls.asking()));
        },
        AcceleratorTypeAggregatedList::getNextPageToken,
        page ->
            Pages.inZones(
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
    clients.close();
  }
}
