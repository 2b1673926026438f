package io.elastune.provisioner.gcp.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CheckResult.Outcome;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.gcp.offers.ShippedOffers;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests checks that ask services of Google other than Compute Engine. */
class ServicesCheckTest {
  private static final String QUOTA = "quota NVIDIA_H100";
  private static final String LAUNCH = "permissions for launches in us-central1";
  private static final String ACT_AS = "permission for node@my-project.iam.gserviceaccount.com";

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path home;

  @BeforeEach
  void settings() throws IOException {
    Files.writeString(
        home.resolve("clouds.yaml"),
        """
        gcp:
          project: my-project
          regions:
            us-central1:
              image: projects/my-project/global/images/family/gpu-nodes
              subnetwork: elastune
              service_account: node@my-project.iam.gserviceaccount.com
        """);
  }

  /** The default limit of a new project, which Google reports without a value. */
  @Test
  void familyQuotaOfZeroFails() {
    CheckResult quota = check(2, QUOTA);
    assertThat(quota.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(quota.refusal()).isEqualTo(RefusalReason.QUOTA);
    assertThat(quota.detail()).contains("0 GPUs allowed, up to 16 needed for 2 instances");
  }

  @Test
  void limitOfTheRegionPrecedesThatOfTheFamily() {
    world.fake().services().family("NVIDIA_H100", "us-central1", 8);
    world.fake().services().family("NVIDIA_H100", "us-east4", 64);
    assertThat(check(2, QUOTA).outcome()).isEqualTo(Outcome.FAILED);
    CheckResult one = check(1, QUOTA);
    assertThat(one.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(one.detail())
        .isEqualTo(
            "8 GPUs allowed, up to 8 needed for 1 instances; Google does not report how many are"
                + " in use");
    assertThat(one.remedy()).contains("https://console.cloud.google.com/iam-admin/quotas");
  }

  @Test
  void unlimitedFamilyPasses() {
    world.fake().services().family("NVIDIA_H100", "us-central1", -1);
    assertThat(check(2, QUOTA).outcome()).isEqualTo(Outcome.OK);
  }

  @Test
  void disabledApisAreUnknownWithTheCommandThatEnablesThem() {
    List.of("cloudquotas", "cloudresourcemanager", "iam").forEach(world.fake().services()::disable);
    for (String name : List.of(QUOTA, LAUNCH, ACT_AS)) {
      CheckResult unknown = check(1, name);
      assertThat(unknown.outcome()).as(name).isEqualTo(Outcome.UNKNOWN);
      assertThat(unknown.detail()).contains("'gcloud services enable ");
    }
  }

  @Test
  void grantedPermissionsPass() {
    assertThat(check(1, LAUNCH).outcome()).isEqualTo(Outcome.OK);
    assertThat(check(1, ACT_AS).outcome()).isEqualTo(Outcome.OK);
  }

  /** The account may have the permission on the subnetwork's own project. */
  @Test
  void missingPermissionsAreNamedAndUnknown() {
    world
        .fake()
        .deny(
            Set.of(
                "compute.subnetworks.use",
                "compute.resourcePolicies.use",
                "iam.serviceAccounts.actAs"));
    assertThat(check(1, LAUNCH).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(check(1, LAUNCH).detail())
        .isEqualTo("not granted on the project: compute.subnetworks.use");
    assertThat(check(1, "permissions for trials on several instances").detail())
        .isEqualTo("not granted on the project: compute.resourcePolicies.use");
    assertThat(check(1, ACT_AS).outcome()).isEqualTo(Outcome.UNKNOWN);
  }

  private CheckResult check(int instances, String name) {
    Offer offer =
        ShippedOffers.in(List.of(ShippedOffers.defaultPlace()))
            .orElseThrow()
            .find("gcp/us-central1/a3-highgpu-8g/on-demand")
            .orElseThrow();
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), GcpTestEnvironment.TIME);
    try (CloudAccount account = new GcpCloudProvider().account(context).orElseThrow()) {
      return account
          .check(new CapacityRequest(List.of("gcp/us-central1"), List.of(offer), instances))
          .stream()
          .filter(some -> some.check().equals(name))
          .findFirst()
          .orElseThrow();
    }
  }
}
