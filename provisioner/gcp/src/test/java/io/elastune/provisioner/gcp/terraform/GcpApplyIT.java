package io.elastune.provisioner.gcp.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.gcp.model.CloudsFile;
import io.elastune.provisioner.gcp.model.ProjectSettings;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.terraform.TerraformApplyContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Tier.NIGHTLY)
class GcpApplyIT extends TerraformApplyContract {
  GcpApplyIT() {
    super("gcp", "gcloud");
  }

  /** A person's credentials have no project whose quota the API of budgets could use. */
  @Test
  void budgetNeedsTheSettingsOfTheExamples() throws Exception {
    assertThat(refusalWithout(" *user_project_override *= true"))
        .contains("the Billing Budgets API requires a quota project")
        .doesNotContain("SERVICE_DISABLED");
  }

  @Override
  protected Map<String, String> variables(String example) {
    return switch (example) {
      case "examples/minimal" ->
          Map.of(
              "project",
              "my-project",
              "alarm_email",
              "ana@example.com",
              "billing_account",
              "012345-6789AB-CDEF01",
              "users",
              "[\"user:ana@example.com\"]");
      case "examples/existing-network" ->
          Map.of(
              "project",
              "my-project",
              "alarm_email",
              "ana@example.com",
              "network",
              "corp",
              "subnetwork",
              "gpus");
      default ->
          Map.of(
              "project",
              "my-project",
              "zones",
              "[\"us-central1-b\", \"us-central1-a\"]",
              "alarm_emails",
              "[\"ana@example.com\"]",
              "public_nodes",
              "false",
              "secure_boot",
              "true",
              "release_zip",
              "../README.md");
    };
  }

  @Override
  protected Map<String, String> invalid() {
    return Map.ofEntries(
        Map.entry("name", "Elastune"),
        Map.entry("project", "p"),
        Map.entry("zones", "[\"us-central1-a\", \"us-west1-a\"]"),
        Map.entry("network_cidr", "10.0.0.0/30"),
        Map.entry("existing_network", "{network=\"default\", subnetwork=\"default\"}"),
        Map.entry("node_image", "Ubuntu 22"),
        Map.entry("node_disk_gb", "1"),
        Map.entry("max_lifetime", "soon"),
        Map.entry("controller_type", "a2-highgpu-1g"),
        Map.entry("controller_disk_gb", "8"),
        Map.entry("release_zip", "missing.zip"),
        Map.entry("users", "[\"ana\"]"),
        Map.entry("checkpoint_days", "0"),
        Map.entry("snapshots_kept", "0"),
        Map.entry("reaper_image", "python"),
        Map.entry("reaper_margin_minutes", "1"),
        Map.entry("billing_account", "mine"),
        Map.entry("monthly_budget", "0.5"),
        Map.entry("alarm_emails", "[]"),
        Map.entry("labels", "{elastune-run=\"x\"}"));
  }

  @Override
  protected void assertSettings(String cloudsYaml, boolean publicAddress) {
    ProjectSettings settings = CloudsFile.parse("clouds.yaml", cloudsYaml).orThrow().orElseThrow();
    RegionSettings region = settings.regions().values().iterator().next();
    assertThat(settings.project()).contains("my-project");
    assertThat(settings.regions()).hasSize(1);
    assertThat(region.zones()).hasSize(2).allMatch(zone -> zone.matches("[a-z]+-[a-z]+[0-9]-[ab]"));
    assertThat(region.subnetwork()).isPresent();
    assertThat(region.networkTags()).containsExactly("elastune-node");
    assertThat(region.serviceAccount())
        .contains("elastune-node@my-project.iam.gserviceaccount.com");
    assertThat(region.publicAddress()).isEqualTo(publicAddress);
    assertThat(region.secureBoot()).isEqualTo(region.zones().get(0).endsWith("-b"));
  }
}
