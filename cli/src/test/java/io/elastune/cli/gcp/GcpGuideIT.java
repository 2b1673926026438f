package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.guide.GpuStandIn;
import io.elastune.cli.guide.GuideRun;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.FakeStorage;
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
  private static final String BUCKET = "elastune-my-project-us-central1";

  @TempDir private Path folder;

  private record Gcp(FakeGcp fake, FakeStorage storage, Path folder)
      implements GuideRun.CloudOfGuide {
    @Override
    public Map<String, String> variables() {
      return Map.of(
          "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE",
          fake.url() + "/compute/v1/",
          "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE",
          storage.url(),
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
      'services enable cloudresourcemanager.googleapis.com serviceusage.googleapis.com --project my-project') ;;
      'compute ssh controller-elastune --project my-project --zone us-central1-a --tunnel-through-iap') ;;
      'compute instances list --project my-project --quiet --filter labels.elastune-run:* --format value(name)') curl -s %1$s/instances ;;
      'compute instances list --project my-project --format value(name)') curl -s %1$s/instances; curl -s %1$s/resources ;;
      'compute disks list --project my-project --format value(name)') curl -s %1$s/resources ;;
      'compute snapshots list '*) ;;
      'compute networks list '* | 'iam service-accounts list '* | 'run services list '* | 'scheduler jobs list '*) ;;
      'billing budgets list '*) curl -s %1$s/ready ;;
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
          "cp -r /etc/elastune/gpu my-job",
          "a start for other jobs",
          "gcloud projects delete my-project",
          "it deletes a real project",
          "gcloud billing accounts list",
          "it reads a real account",
          "sudo journalctl -u google-startup-scripts",
          "the log of a real machine",
          "elastune stop",
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
    var unused = RayPythonForTests.find();
    try (FakeGcp gcp = new FakeGcp(InstantSource.system());
        EmulatedNodes nodes =
            new EmulatedNodes(
                new ComputeNodes(gcp), folder.resolve("i"), GpuStandIn.programs(folder));
        FakeStorage storage = FakeStorage.start(BUCKET)) {
      gcp.compute().times(lease -> FakeTimes.millis(0, 0, 100));
      gcp.compute().guestAttribute((name, script) -> nodes.guestAttribute(script));
      String settings = RentedRayCheck.settings(folder.resolve("n"));
      Gcp cloud = new Gcp(gcp, storage, folder);
      try (GuideRun guide = new GuideRun(cloud, "gcp", folder.resolve("g"), settings)) {
        guide.executeAll();
        assertThat(guide.output("elastune check /etc/elastune/gpu/job.yaml").replaceAll("\\s", ""))
            .contains("fromthenoderuntime", "thenextrunstoresings://" + BUCKET);
        assertThat(storage.objects().keySet()).anyMatch(name -> name.startsWith("runtimes/"));
        assertThat(guide.output("elastune report")).contains("loss");
        assertThat(guide.output("elastune logs --trial 1")).contains("trains on Emulated GPU");
        assertThat(guide.output("terraform state list")).isBlank();
      }
      assertThat(gcp.compute().createdLeases()).isNotEmpty();
      assertThat(gcp.violations()).isEmpty();
      assertThat(nodes.processes()).isEmpty();
    }
  }
}
