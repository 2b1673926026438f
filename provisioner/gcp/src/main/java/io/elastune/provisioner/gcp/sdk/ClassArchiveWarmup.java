package io.elastune.provisioner.gcp.sdk;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.remote.CannedHttpServer;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the Google Cloud calls of the commands against a local server, so that the launcher can
 * record the classes that they load.
 */
public final class ClassArchiveWarmup {
  private static final String ZONE = "us-central1-a";
  private static final String REGION = "us-central1";

  private static final String INSTANCES =
      """
      {"kind": "compute#instanceAggregatedList", "items": {"zones/us-central1-a": {"instances": [
        {"id": "1", "name": "elastune-none", "zone": "zones/us-central1-a", "status": "RUNNING",
         "machineType": "zones/us-central1-a/machineTypes/g2-standard-4",
         "creationTimestamp": "2026-11-21T00:00:00.000-08:00",
         "labels": {"elastune-run": "none"},
         "metadata": {"items": [{"key": "elastune-run", "value": "none"}]},
         "scheduling": {"provisioningModel": "STANDARD"},
         "networkInterfaces": [{"networkIP": "10.0.0.1"}]}]},
        "zones/us-central1-b": {"warning": {"code": "NO_RESULTS_ON_PAGE", "message": "none"}}}}
      """;

  private static final String TYPES =
      """
      {"kind": "compute#machineTypeAggregatedList", "items": {"zones/us-central1-a":
        {"machineTypes": [{"name": "g2-standard-4", "guestCpus": 4, "memoryMb": 16384,
          "accelerators": [{"guestAcceleratorType": "nvidia-l4", "guestAcceleratorCount": 1}]}]}}}
      """;

  private static final String ATTACHED =
      """
      {"kind": "compute#acceleratorTypeAggregatedList", "items": {"zones/us-central1-a":
        {"acceleratorTypes": [{"name": "nvidia-tesla-t4", "maximumCardsPerInstance": 4}]}}}
      """;

  private static final String REGION_ANSWER =
      """
      {"kind": "compute#region", "name": "us-central1", "zones": ["zones/us-central1-a"],
       "quotas": [{"metric": "NVIDIA_L4_GPUS", "limit": 8, "usage": 0}]}
      """;

  private static final String PROJECT =
      """
      {"kind": "compute#project", "name": "none",
       "quotas": [{"metric": "GPUS_ALL_REGIONS", "limit": 8, "usage": 0}]}
      """;

  private static final String ERROR =
      """
      {"error": {"code": 404, "message": "The resource '/instances/none' was not found",
        "errors": [{"message": "none", "domain": "global", "reason": "notFound"}]}}
      """;

  private static final Map<String, String> ANSWERS =
      Map.of(
          "/aggregated/instances\n", INSTANCES,
          "/aggregated/machineTypes\n", TYPES,
          "/aggregated/acceleratorTypes\n", ATTACHED,
          "/regions/us-central1\n", REGION_ANSWER,
          "/projects/none\n", PROJECT);

  private ClassArchiveWarmup() {}

  /** Makes the calls. */
  public static void main(String[] arguments) throws IOException {
    try (CannedHttpServer google = new CannedHttpServer(ANSWERS, ERROR)) {
      ClientConfig clientConfig =
          new ClientConfig(
              GoogleCredentials.create(AccessToken.newBuilder().setTokenValue("none").build()),
              "none",
              Optional.of(google.url()));
      try (SdkCompute compute = new SdkCompute(clientConfig);
          SdkProjectApi directory =
              new SdkProjectApi(clientConfig, InstantSource.fixed(Instant.EPOCH))) {
        CannedHttpServer.sendAll(
            directory::identity,
            () -> compute.listByLabel(Tags.RUN),
            () -> compute.zones(REGION),
            () -> compute.find(ZONE, "none"),
            directory::quotas,
            () -> directory.quotas(REGION),
            () -> directory.gpuTypes(REGION),
            new SdkProjectServices(clientConfig)::gpuFamilyQuotas);
      }
    }
  }
}
