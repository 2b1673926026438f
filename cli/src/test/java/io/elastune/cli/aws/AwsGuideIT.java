package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.guide.GuideRun;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Executes docs/quickstart-aws.md with a fake AWS and emulated Terraform providers. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2) // long, and unaffected by a busy machine
class AwsGuideIT {
  @TempDir private Path folder;

  private record Aws(FakeAws fake) implements GuideRun.CloudOfGuide {
    @Override
    public Map<String, String> variables() {
      return Map.of(
          "AWS_ENDPOINT_URL", fake.url(),
          "AWS_REGION", "us-east-1",
          "AWS_ACCESS_KEY_ID", "AKIDEXAMPLE",
          "AWS_SECRET_ACCESS_KEY", "secret");
    }

    @Override
    public String program() {
      return "aws";
    }

    @Override
    public String calls(String url) {
      return """
      'sts get-caller-identity') echo arn:aws:iam::111122223333:user/tester ;;
      'service-quotas get-service-quota --service-code ec2 --quota-code L-DB2E81BA --query Quota.Value') echo 64.0 ;;
      'ec2-instance-connect send-ssh-public-key --instance-id i-'*' --instance-os-user ec2-user --ssh-public-key file://'*) keys < "${8#file://}" ;;
      'ssm start-session --target i-'*' --document-name AWS-StartSSHSession --parameters portNumber=22') sshd ;;
      'ec2 describe-regions '*) echo us-east-1 ;;
      'ec2 describe-instances '*' --filters Name=tag-key,Values=elastune-run '*) curl -s %1$s/instances ;;
      'ec2 describe-snapshots '*) ;;
      'resourcegroupstaggingapi get-resources --tag-filters Key=elastune-module --query ResourceTagMappingList[].ResourceARN --output text') curl -s %1$s/resources ;;
      """
          .formatted(url);
    }

    @Override
    public Map<String, String> notExecuted() {
      return Map.of(
          "aws configure sso",
          "it opens a browser",
          "aws sso login",
          "it opens a browser",
          "mvn -Prelease package",
          ".ci/release executes it",
          "ssh \"$CONTROLLER\" sudo tail /var/log/cloud-init-output.log",
          "the log of a real machine",
          "elastune --host \"$CONTROLLER\" stop",
          "no run is in progress; HostIT executes it",
          "ELASTUNE_FORCE=1 terraform destroy",
          "TerraformApplyContract executes it");
    }

    @Override
    public List<String> instances() {
      return fake.ec2().runningLeases();
    }

    @Override
    public String bootScript(GuideRun.ResourceLookup created) throws IOException {
      return created.created("aws_instance").get(0).path("user_data").asString();
    }

    @Override
    public void restrict(GuideRun.ResourceLookup created) throws IOException {
      String policy =
          created.created("aws_iam_role_policy").stream()
              .filter(some -> some.path("name").asString().equals("run"))
              .findFirst()
              .orElseThrow()
              .path("policy")
              .asString();
      fake.allow(FakePolicy.parse(policy));
      fake.bucket(created.created("aws_s3_bucket").get(0).path("bucket").asString(), "us-east-1");
    }

    @Override
    public void addInstance() {
      fake.ec2().add("g5.xlarge", Map.of(Tags.RUN, "some", Tags.LEASE, "some-1"));
    }
  }

  @Test
  void commandsOfTheGuide() throws Exception {
    String python = RayPythonForTests.find();
    try (FakeAws aws = new FakeAws(InstantSource.system());
        EmulatedNodes nodes = new EmulatedNodes(new Ec2Nodes(aws), folder.resolve("i"))) {
      aws.ec2().times(lease -> FakeTimes.millis(0, 0, 100));
      aws.ec2().console((id, userData) -> nodes.console(userData));
      String settings = RentedRayCheck.settings(python, folder.resolve("n"));
      try (GuideRun guide = new GuideRun(new Aws(aws), "aws", folder.resolve("g"), settings)) {
        guide.executeAll();
        assertThat(guide.output("elastune --host \"$CONTROLLER\" report")).contains("val_loss");
        assertThat(guide.output("terraform state list")).isBlank();
      }
      assertThat(aws.ec2().launchedLeases()).isNotEmpty();
      assertThat(nodes.processes()).isEmpty();
    }
  }
}
