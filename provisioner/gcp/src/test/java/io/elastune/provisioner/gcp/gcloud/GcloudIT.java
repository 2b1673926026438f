package io.elastune.provisioner.gcp.gcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.TaggedInstance;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code gcloud}, an independent client, and Elastune on the same fake Compute Engine. Skipped
 * if {@code gcloud} is not installed.
 */
@Tag(Tier.NIGHTLY)
class GcloudIT {
  private static final String RUN = "hers-20261121-ab12";
  private static final String ZONE = "us-central1-a";

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path folder;

  @BeforeEach
  void isInstalled() {
    assumeTrue(Gcloud.isInstalled(), "gcloud is not installed");
  }

  @Test
  void elastuneDeletesInstanceOfGcloud() throws Exception {
    gcloud(
        "create",
        "elastune-hers-1",
        "--zone",
        ZONE,
        "--machine-type",
        "n1-standard-8",
        "--image-project",
        "my-project",
        "--image-family",
        "gpu-nodes",
        "--no-service-account",
        "--no-scopes",
        "--labels",
        "elastune-run=" + RUN + ",elastune-owner=ana");
    try (CloudAccount account =
        new GcpCloudProvider()
            .account(
                new CloudContext(folder, folder.resolve("clouds.yaml"), GcpTestEnvironment.TIME))
            .orElseThrow()) {
      List<TaggedInstance> found = account.instances(List.of());
      assertThat(found)
          .singleElement()
          .satisfies(
              instance -> {
                assertThat(instance.id()).isEqualTo(ZONE + "/elastune-hers-1");
                assertThat(instance.run()).isEqualTo(RUN);
                assertThat(instance.owner()).isEqualTo("ana");
                assertThat(instance.instanceType()).isEqualTo("n1-standard-8");
                assertThat(instance.isExpired(GcpTestEnvironment.TIME.instant())).isTrue();
              });
      account.terminate(found);
      assertThat(account.instances(List.of())).isEmpty();
    }
    assertThat(gcloud("list", "--format=value(name)")).isBlank();
  }

  @Test
  void gcloudDeletesInstanceOfElastune() throws Exception {
    RecordedEvents events = new RecordedEvents();
    String lease = TestLeaseRequests.RUN + "-1";
    try (Cloud cloud = world.open(events)) {
      cloud.request(TestLeaseRequests.of(lease));
      TestWait.until(() -> events.has(Ready.class, lease), events);
      String shown =
          gcloud(
              "list",
              "--filter=labels.elastune-run=" + TestLeaseRequests.RUN,
              "--format=value(name,zone.basename(),status,labels.elastune-lease)");
      assertThat(shown.strip().split("\\s+"))
          .containsExactly("elastune-" + lease, ZONE, "RUNNING", lease);

      gcloud("delete", "elastune-" + lease, "--zone", ZONE, "--quiet");
      TestWait.until(() -> events.has(Terminated.class, lease), events);
      assertThat(events.has(Lost.class, lease)).isTrue();
    }
    assertThat(world.fake().compute().existingLeases()).isEmpty();
  }

  private String gcloud(String... arguments) throws IOException, InterruptedException {
    return new Gcloud(world.fake().url(), folder).instances(arguments);
  }
}
