package io.elastune.provisioner.gcp.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests errors of the account for calls that cannot succeed. */
class GcpAccountTest {
  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path home;

  @Test
  void unknownPlaceIsAnError() {
    assertThat(instances("gcp/us-central1")).isEmpty();
    assertThat(failure("gcp/us-central9")).isInstanceOf(CloudFailure.Invalid.class);
    assertThat(failure("gcp/us-central9").message()).contains("us-central9");
    assertThat(failure("gcp/us-central1/us-central1-x").message())
        .contains("gcp/us-central1/us-central1-x does not exist", "us-central1-a");
  }

  @Test
  void listsInstancesWithoutExtraCall() {
    world
        .fake()
        .compute()
        .add(
            "us-central1-a",
            "elastune-x",
            "g2-standard-4",
            Map.of(Tags.RUN, TestLeaseRequests.RUN));
    assertThat(instances("gcp/us-central1")).hasSize(1);
    assertThat(world.fake().calls("compute.regions.get")).isZero();
  }

  @Test
  void errorNamesMissingCredentialsFile() {
    System.setProperty("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json");
    CloudFailure failure = failure("gcp/us-central1");
    assertThat(failure).isInstanceOf(CloudFailure.Permission.class);
    assertThat(failure.message())
        .contains("/nowhere/key.json (the value of GOOGLE_APPLICATION_CREDENTIALS)")
        .contains("gcloud auth application-default login");
  }

  @Test
  void errorNamesUnreachableEndpoint() {
    world.fake().close();
    assertThat(failure("gcp/us-central1").message())
        .contains("got no response from " + world.fake().url());
  }

  private List<?> instances(String place) {
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), GcpTestEnvironment.TIME);
    try (CloudAccount account = new GcpCloudProvider().account(context).orElseThrow()) {
      return account.instances(List.of(place));
    }
  }

  private CloudFailure failure(String place) {
    return catchThrowableOfType(CloudException.class, () -> instances(place)).failure();
  }
}
