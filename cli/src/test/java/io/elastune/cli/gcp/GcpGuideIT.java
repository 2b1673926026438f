package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.guide.GuideRun;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Executes docs/quickstart-gcp.md with a fake Google Cloud and emulated Terraform providers. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2) // long, and unaffected by a busy machine
@Tag(Tier.NIGHTLY)
class GcpGuideIT {
  @TempDir private Path folder;

  private record Gcp(FakeGcp fake, Path folder) implements GuideRun.CloudOfGuide {
    @Override
    public Map<String, String> variables() {
      return Map.of(
          "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE",
          fake.url() + "/compute/v1/",
          "GOOGLE_APPLICATION_CREDENTIALS",
          TestCredentials.write(folder).toString());
    }

    @Override
    public String program() {
      return "gcloud";
    }

    @Override
    public String calls(String url) {
      return """
      'projects create my-project') ;;
      'billing projects link my-project --billing-account 012345-6789AB-CDEF01') ;;
      'config set project my-project') ;;
      'services enable cloudresourcemanager.googleapis.com serviceusage.googleapis.com compute.googleapis.com') ;;
      'compute project-info describe --flatten quotas[] --format table(quotas.metric,quotas.limit) --filter quotas.metric=GPUS_ALL_REGIONS') echo GPUS_ALL_REGIONS 2.0 ;;
      'compute os-login ssh-keys add --key-file '*/.ssh/id_ed25519.pub) keys < "$6" ;;
      'compute os-login describe-profile --format value(posixAccounts[0].username)') echo ana_example_com ;;
      'compute start-iap-tunnel controller-elastune 22 --listen-on-stdin --zone us-central1-a --verbosity warning') sshd ;;
      'compute instances list --project my-project --quiet --filter labels.elastune-run:* --format value(name)') curl -s %1$s/instances ;;
      'compute instances list --project my-project --format value(name)') curl -s %1$s/instances; curl -s %1$s/resources ;;
      'compute disks list --project my-project --format value(name)') curl -s %1$s/resources ;;
      'compute snapshots list '*) ;;
      'compute networks list '* | 'iam service-accounts list '* | 'run services list '* | 'scheduler jobs list '*) ;;
      'billing budgets list '*) curl -s %1$s/ready ;;
      'projects delete my-project --quiet') ;;
      """
          .formatted(url);
    }

    @Override
    public Map<String, String> notExecuted() {
      return Map.of(
          "gcloud auth login",
          "it opens a browser",
          "gcloud auth application-default login",
          "it opens a browser",
          "mvn -Prelease package",
          ".ci/release executes it",
          "gcloud billing accounts list",
          "it reads a real account",
          "ssh \"$CONTROLLER\" sudo journalctl -u google-startup-scripts",
          "the log of a real machine",
          "elastune --host \"$CONTROLLER\" stop",
          "no run is in progress; HostIT executes it",
          "ELASTUNE_FORCE=1 terraform destroy",
          "TerraformApplyContract executes it");
    }

    @Override
    public List<String> instances() {
      return fake.compute().existingLeases();
    }

    private static JsonNode controller(GuideRun.ResourceLookup created) throws IOException {
      return created.created("google_compute_instance").get(0);
    }

    @Override
    public String bootScript(GuideRun.ResourceLookup created) throws IOException {
      return controller(created).path("metadata").path("startup-script").asString();
    }

    @Override
    public void restrict(GuideRun.ResourceLookup created) throws IOException {
      Set<String> permissions = new TreeSet<>(Set.of("iam.serviceAccounts.actAs"));
      for (JsonNode role : created.created("google_project_iam_custom_role")) {
        if (!role.path("role_id").asString().contains("reaper")) {
          role.path("permissions").valueStream().map(JsonNode::asString).forEach(permissions::add);
        }
      }
      fake.allow(permissions);
    }

    @Override
    public void addInstance() {
      fake.compute()
          .add(
              "us-central1-a",
              "elastune-some",
              "g2-standard-4",
              Map.of(Tags.RUN, "some", Tags.LEASE, "some-1"));
    }
  }

  @Test
  void commandsOfTheGuide() throws Exception {
    String python = RayPythonForTests.find();
    try (FakeGcp gcp = new FakeGcp(InstantSource.system());
        EmulatedNodes nodes = new EmulatedNodes(new ComputeNodes(gcp), folder.resolve("i"))) {
      gcp.compute().times(lease -> FakeTimes.millis(0, 0, 100));
      gcp.compute().guestAttribute((name, script) -> nodes.guestAttribute(script));
      String settings = RentedRayCheck.settings(python, folder.resolve("n"));
      Gcp cloud = new Gcp(gcp, folder);
      try (GuideRun guide = new GuideRun(cloud, "gcp", folder.resolve("g"), settings)) {
        guide.executeAll();
        assertThat(guide.output("elastune --host \"$CONTROLLER\" report")).contains("val_loss");
        assertThat(guide.output("terraform state list")).isBlank();
      }
      assertThat(gcp.compute().createdLeases()).isNotEmpty();
      assertThat(gcp.violations()).isEmpty();
      assertThat(nodes.processes()).isEmpty();
    }
  }
}
