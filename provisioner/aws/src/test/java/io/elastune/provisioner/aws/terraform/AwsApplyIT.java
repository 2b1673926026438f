package io.elastune.provisioner.aws.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.aws.model.CloudsFile;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.sdk.SdkRegions;
import io.elastune.provisioner.terraform.TerraformApplyContract;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

class AwsApplyIT extends TerraformApplyContract {
  AwsApplyIT() {
    super("aws", "aws");
  }

  @Override
  protected Map<String, String> variables(String example) {
    return switch (example) {
      case "examples/minimal" -> Map.of("alarm_email", "ana@example.com");
      case "examples/existing-network" ->
          Map.of(
              "alarm_email",
              "ana@example.com",
              "vpc_id",
              "vpc-01",
              "subnets",
              "{us-east-1a=\"subnet-0a\", us-east-1b=\"subnet-0b\"}");
      default ->
          Map.of(
              "zones",
              "[\"us-east-1a\", \"us-east-1b\"]",
              "alarm_emails",
              "[\"ana@example.com\"]",
              "public_nodes",
              "false",
              "node_image",
              "ami-0a",
              "release_zip",
              "../README.md",
              "node_policy_arns",
              "[\"arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess\"]");
    };
  }

  @Override
  protected Map<String, String> invalid() {
    return Map.ofEntries(
        Map.entry("name", "Elastune"),
        Map.entry("zones", "[\"us-east-1a\", \"us-west-2a\"]"),
        Map.entry("network_cidr", "10.0.0.0/30"),
        Map.entry("existing_network", "{vpc_id=\"vpc-1\", subnets={}}"),
        Map.entry("node_image", "ubuntu"),
        Map.entry("node_image_parameter", "ami"),
        Map.entry("node_disk_gb", "0"),
        Map.entry("node_root_device", "sda"),
        Map.entry("node_policy_arns", "[\"admin\"]"),
        Map.entry("max_lifetime", "soon"),
        Map.entry("controller_type", "p4d.24xlarge"),
        Map.entry("controller_disk_gb", "8"),
        Map.entry("release_zip", "missing.zip"),
        Map.entry("checkpoint_days", "0"),
        Map.entry("snapshots_kept", "0"),
        Map.entry("reaper_margin_minutes", "1"),
        Map.entry("monthly_budget_usd", "-1"),
        Map.entry("alarm_emails", "[]"),
        Map.entry("tags", "{elastune-run=\"x\"}"));
  }

  @Override
  protected void assertSettings(String cloudsYaml, boolean publicAddress) {
    Map<String, RegionSettings> regions =
        CloudsFile.parse("clouds.yaml", cloudsYaml, SdkRegions.names()).orThrow();
    RegionSettings settings = regions.get("us-east-1");
    assertThat(regions).hasSize(1);
    assertThat(settings.launchTemplate()).isPresent();
    assertThat(settings.zones())
        .containsExactly(Optional.of("us-east-1a"), Optional.of("us-east-1b"));
    assertThat(settings.securityGroups()).hasSize(1);
    assertThat(settings.instanceProfile()).contains("elastune-node");
    assertThat(settings.bucket()).contains("elastune-111122223333-us-east-1");
    assertThat(settings.publicAddress()).isEqualTo(publicAddress);
    assertThat(settings.maxLifetime()).isEqualTo(Duration.ofDays(1));
  }
}
