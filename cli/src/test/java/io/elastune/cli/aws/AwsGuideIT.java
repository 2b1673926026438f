package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.guide.GpuStandIn;
import io.elastune.cli.guide.GuideRun;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.ObjectStores;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.aws.moto.Moto;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Executes docs/quickstart-aws.md with a fake AWS and emulated Terraform providers. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@Order(2) // long, and unaffected by a busy machine
@Tag(Tier.NIGHTLY)
class AwsGuideIT {
  private static final String BUCKET = "elastune-111122223333-us-east-1";

  @TempDir private Path folder;

  private record Aws(FakeAws fake, Moto storage) implements GuideRun.CloudOfGuide {
    @Override
    public Map<String, String> variables() {
      return Map.of(
          "AWS_ENDPOINT_URL", fake.url(),
          "AWS_ENDPOINT_URL_S3", storage.url(),
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
      'ssm start-session --region us-east-1 --target i-'*) ;;
      'ec2 describe-regions '*) echo us-east-1 ;;
      'ec2 describe-instances '*' --filters Name=tag-key,Values=elastune-run '*) curl -s %1$s/instances ;;
      'ec2 describe-snapshots '*) ;;
      'resourcegroupstaggingapi get-resources --region us-east-1 --tag-filters Key=elastune-module --query ResourceTagMappingList[].ResourceARN --output text') curl -s %1$s/resources ;;
      """
          .formatted(url);
    }

    @Override
    public Map<String, String> notExecuted() {
      return Map.of(
          "aws configure sso --profile elastune",
          "it opens a browser",
          "export AWS_PROFILE=elastune",
          "the test has no profile",
          "aws sso login",
          "it opens a browser",
          "cp -r /etc/elastune/gpu my-job",
          "a start for other jobs",
          "sudo tail /var/log/cloud-init-output.log",
          "the log of a real machine",
          "elastune stop",
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
    var unused = RayPythonForTests.find();
    assumeTrue(Moto.isThere(), "moto is not installed");
    try (FakeAws aws = new FakeAws(InstantSource.system());
        EmulatedNodes nodes =
            new EmulatedNodes(new Ec2Nodes(aws), folder.resolve("i"), GpuStandIn.programs(folder));
        Moto storage = Moto.startWithBucket(BUCKET)) {
      aws.ec2().times(lease -> FakeTimes.millis(0, 0, 100));
      aws.ec2().console((id, userData) -> nodes.console(userData));
      String settings = RentedRayCheck.settings(folder.resolve("n"));
      try (GuideRun guide =
          new GuideRun(new Aws(aws, storage), "aws", folder.resolve("g"), settings)) {
        guide.executeAll();
        assertThat(guide.output("elastune check /etc/elastune/gpu/job.yaml").replaceAll("\\s", ""))
            .contains("fromthenoderuntime", "thenextrunstoresins3://" + BUCKET);
        assertThat(ObjectStores.open("s3", BUCKET, InstantSource.system()).list("runtimes/"))
            .hasSize(1);
        assertThat(guide.output("elastune report")).contains("loss");
        assertThat(guide.output("elastune logs --trial 1")).contains("trains on Emulated GPU");
        assertThat(guide.output("terraform state list")).isBlank();
      }
      assertThat(aws.ec2().launchedLeases()).isNotEmpty();
      assertThat(nodes.processes()).isEmpty();
    }
  }
}
