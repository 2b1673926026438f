package io.elastune.provisioner.gcp.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.compute.v1.RegionsClient;
import com.google.cloud.compute.v1.RegionsSettings;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that clients are closed, because open ones keep the JVM running. */
class SdkClientsTest {
  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();

  @Test
  void closesAllClients() {
    RegionsClient client;
    try (SdkClients sdkClients = new SdkClients(ClientConfig.load(Optional.empty()))) {
      client = sdkClients.create(RegionsSettings.newBuilder(), RegionsClient::create);
      assertThat(client.isShutdown()).isFalse();
    }
    assertThat(client.isShutdown()).isTrue();
  }

  @Test
  void createsNoClientAfterClose() {
    SdkCompute compute = new SdkCompute(Optional.empty());
    compute.close();
    assertThatThrownBy(() -> compute.zones(GcpTestEnvironment.REGION))
        .isInstanceOfSatisfying(
            CloudException.class,
            e -> assertThat(e.failure()).isInstanceOf(CloudFailure.UnknownOutcome.class))
        .hasMessageContaining("closed");
    assertThat(world.fake().calls()).isEmpty();
  }
}
