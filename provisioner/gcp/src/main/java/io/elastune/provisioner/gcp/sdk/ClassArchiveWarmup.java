package io.elastune.provisioner.gcp.sdk;

import com.google.auth.ServiceAccountSigner;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.compute.v1.InstanceAggregatedList;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.Tags;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the requests of commands to an address that refuses connections, parses a response, and
 * signs a URL. The launcher records the classes that this loads and archives them.
 */
public final class ClassArchiveWarmup {
  private static final Logger LOG = LoggerFactory.getLogger(ClassArchiveWarmup.class);
  private static final String REFUSING = "http://127.0.0.1:9";
  private static final String REGION = "us-central1";
  private static final String RESPONSE =
      """
      {"items": {"zones/us-central1-a": {"instances": [{"id": "1", "labels": {"a": "b"},
        "metadata": {"items": [{"key": "a", "value": "b"}]},
        "networkInterfaces": [{"networkIP": "10.0.0.1"}], "scheduling": {"preemptible": true}}]}}}
      """;

  private static final InstantSource EPOCH = InstantSource.fixed(Instant.EPOCH);

  private ClassArchiveWarmup() {}

  /** Returns the text in place of a signature. */
  private record NoSigner(String getAccount) implements ServiceAccountSigner {
    @Override
    public byte[] sign(byte[] text) {
      return text;
    }
  }

  /** Parses the response, signs the URL, then sends the requests. */
  public static void main(String[] arguments) throws InvalidProtocolBufferException {
    InstanceAggregatedList.Builder instances = InstanceAggregatedList.newBuilder();
    JsonFormat.parser().ignoringUnknownFields().merge(RESPONSE, instances);
    ResponseMapper.instance(instances.getItemsOrThrow("zones/us-central1-a").getInstances(0));

    var unused =
        new GcsRequestSigner(URI.create(REFUSING), "none", new NoSigner("none"), EPOCH)
            .sign("GET", "none", new TreeMap<>(), Duration.ofMinutes(1));

    ClientConfig clientConfig =
        new ClientConfig(
            GoogleCredentials.create(AccessToken.newBuilder().setTokenValue("none").build()),
            "none",
            Optional.of(REFUSING));
    try (SdkCompute compute = new SdkCompute(clientConfig);
        SdkProjectApi project = new SdkProjectApi(clientConfig, EPOCH)) {
      List<Runnable> requests =
          List.of(
              () -> compute.listByLabel(Tags.RUN),
              () -> compute.zones(REGION),
              () -> compute.find(REGION + "-a", "none"),
              project::quotas,
              () -> project.gpuTypes(REGION));
      for (Runnable request : requests) {
        try {
          request.run();
        } catch (CloudException e) {
          LOG.debug("request failed", e);
        }
      }
    }
  }
}
