package io.elastune.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.provisioner.aws.fake.FakeAws;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests the remedies that {@code check} shows for missing resources, with the real SDK. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class CheckRemediesTest {
  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void open() throws IOException {
    aws = new FakeAws(InstantSource.system());
    System.setProperty("aws.endpointUrl", aws.url());
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), "aws: {us-east-1: {image: ami-01}}\n");
  }

  @AfterEach
  void close() {
    aws.close();
    List.of("aws.endpointUrl", "aws.region", "aws.accessKeyId", "aws.secretAccessKey")
        .forEach(System::clearProperty);
  }

  @ParameterizedTest
  @CsvSource({
    "InvalidAMIID.NotFound, The image id does not exist, aws ec2 describe-images",
    "InvalidSubnetID.NotFound, The subnet ID does not exist, aws ec2 describe-subnets",
    "InvalidGroup.NotFound, The security group does not exist, aws ec2 create-security-group",
    "InvalidKeyPair.NotFound, The key pair does not exist, aws ec2 create-key-pair",
    "InvalidLaunchTemplateId.NotFound, no such template, aws ec2 describe-launch-templates",
    "InvalidParameterValue, Invalid IAM Instance Profile name, aws iam create-instance-profile",
  })
  void namesMissingResourceAndRemedy(String code, String message, String remedy) {
    aws.refuse("RunInstances", code, message);
    InProcessCli.Result result = new InProcessCli(folder).run("check", "--infra", "aws/us-east-1");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out().replaceAll("\\s+", " ")).contains(message, code, remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "mine; ok exists in us-east-1",
        "far; ok exists, but in eu-west-1",
        "none; no S3 has no bucket none [NoSuchBucket]",
        "none; aws s3 mb s3://NAME",
      })
  void checksBucket(String bucket, String detail) throws IOException {
    aws.bucket("mine", "us-east-1");
    aws.bucket("far", "eu-west-1");
    Files.writeString(
        folder.resolve("home").resolve("clouds.yaml"),
        "aws: {us-east-1: {image: ami-01, bucket: " + bucket + "}}\n");
    InProcessCli.Result result = new InProcessCli(folder).run("check", "--infra", "aws/us-east-1");
    assertThat(result.out().replaceAll("\\s+", " ")).contains(detail);
  }

  /** A quota that Service Quotas does not report is unknown, which does not fail the check. */
  @Test
  void unknownOutcomeIsShownAndDoesNotFail() throws IOException {
    aws.refuse("GetServiceQuota", "NoSuchResourceException", "no such quota");
    job("");
    InProcessCli.Result result = new InProcessCli(folder).run("check", "job.yaml");
    assertThat(result.out().replaceAll(" +", " "))
        .contains("(L-DB2E81BA) unknown up to 4 vCPUs are needed")
        .contains("(L-DB2E81BA): see https://us-east-1.console.aws.amazon.com/servicequotas/");

    JsonNode checks = new InProcessCli(folder).run("check", "job.yaml", "--json").json();
    assertThat(checks.valueStream().filter(c -> c.path("outcome").asString().equals("failed")))
        .as("the clock of the test is fixed, and no node runtime is built")
        .extracting(check -> check.path("check").asString())
        .isSubsetOf("clock", "Ray on instances");
    JsonNode quota =
        checks
            .valueStream()
            .filter(check -> check.path("check").asString().contains("L-DB2E81BA"))
            .findFirst()
            .orElseThrow();
    assertThat(quota.path("ok").isNull()).isTrue();
    assertThat(quota.path("outcome").asString()).isEqualTo("unknown");
    assertThat(quota.path("detail").asString()).contains("no such quota");
    assertThat(quota.path("remedy").asString()).startsWith("see https://");
  }

  private void job(String trial) throws IOException {
    Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: tiny
        deadline: 3h
        search:
          algorithm: sha
          metric: {name: acc, goal: maximize}
          trials: 4
          eta: 2
          resource: {unit: epoch, min: 1, max: 2}
          space: {lr: {type: loguniform, low: 1e-4, high: 1}}
        trial: {run: "true", gpus: 1%s}
        resources: {infra: [aws/us-east-1], instance_types: [g5.xlarge], max_instances: 1}
        """
            .formatted(trial));
  }

  @Test
  void reportsExpiredCredentials() {
    aws.refuse("GetCallerIdentity", "ExpiredToken", "The security token is expired");
    InProcessCli.Result result = new InProcessCli(folder).run("check", "--infra", "aws/us-east-1");
    assertThat(result.exit()).isEqualTo(15);
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains(
            "these AWS credentials have expired",
            "The security token is expired",
            "ExpiredToken",
            "log in with");

    aws.refuse("DescribeInstances", "ExpiredToken", "The security token is expired");
    InProcessCli.Result orphans =
        new InProcessCli(folder).run("orphans", "--infra", "aws/us-east-1");
    assertThat(orphans.exit()).isEqualTo(15);
    assertThat(orphans.err()).contains("The security token is expired");
  }
}
