package io.elastune.provisioner.aws.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.aws.fake.FakePolicy.Access;
import io.elastune.provisioner.aws.testing.PolicyEffects;
import io.elastune.provisioner.terraform.TerraformModule;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the policies of the module whose calls are not made by Elastune. */
class ModulePoliciesTest {
  private static final String REGION = "us-east-1";
  private static final String ACCOUNT = "111122223333";
  private static final String EC2 = "arn:aws:ec2:" + REGION + ":" + ACCOUNT + ":";
  private static final String SSM = "arn:aws:ssm:" + REGION + ":" + ACCOUNT + ":";
  private static final String SSM_OF_AWS = "arn:aws:ssm:" + REGION + "::";
  private static final String SNAPSHOT = "arn:aws:ec2:" + REGION + "::snapshot/";
  private static final String LOG = "arn:aws:logs:" + REGION + ":" + ACCOUNT + ":log-group:reaper";

  private static FakePolicy policy(String name, Map<String, String> variables) throws IOException {
    String text =
        Files.readString(TerraformModule.root().resolve("aws/policies/" + name + ".json"));
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      text = text.replace("${" + variable.getKey() + "}", variable.getValue());
    }
    return FakePolicy.parse(text.replace("$${", "${"));
  }

  private static Access access(String action, String resource) {
    return new Access(action, resource, Map.of());
  }

  /** The commands {@code aws ssm start-session} with ssh and with a shell, and their end. */
  @Test
  void usersOpenSessionsOnTheControllerAlone() throws IOException {
    FakePolicy policy =
        policy(
            "user",
            Map.of(
                "controller",
                EC2 + "instance/i-1",
                "partition",
                "aws",
                "region",
                REGION,
                "account",
                ACCOUNT));
    PolicyEffects.assertEachIsRequired(
        policy,
        List.of(
            access("ssm:StartSession", EC2 + "instance/i-1"),
            access("ssm:StartSession", SSM_OF_AWS + "document/AWS-StartSSHSession"),
            access("ssm:StartSession", SSM + "document/SSM-SessionManagerRunShell"),
            access("ssmmessages:OpenDataChannel", "*"),
            session("ssm:ResumeSession", "tester", FakePolicy.USER_ID),
            session("ssm:TerminateSession", "tester", FakePolicy.USER_ID)),
        List.of(
            access("ssm:StartSession", EC2 + "instance/i-2"),
            access("ssm:StartSession", SSM_OF_AWS + "document/AWS-StartPortForwardingSession"),
            access("ssm:SendCommand", EC2 + "instance/i-1"),
            session("ssm:ResumeSession", "ben", "AROAEXAMPLE:ben"),
            session("ssm:TerminateSession", "ben", "AROAEXAMPLE:ben")));
  }

  /** The ID of a session begins with the name of its user, and a tag has the user's ID. */
  private static Access session(String action, String user, String id) {
    return new Access(
        action,
        SSM + "session/" + user + "-0a1b2c3d",
        Map.of("ssm:resourceTag/aws:ssmmessages:session-id", id));
  }

  /** The calls of Amazon Data Lifecycle Manager for a policy on volumes. */
  @Test
  void snapshotsOfTheControllerAreCreatedAndDeleted() throws IOException {
    String create = "ec2:CreateAction";
    String tag = "ec2:ResourceTag/elastune-snapshot";
    PolicyEffects.assertEachIsRequired(
        policy("snapshots", Map.of("name", "elastune")),
        List.of(
            access("ec2:DescribeInstances", "*"),
            access("ec2:DescribeVolumes", "*"),
            access("ec2:DescribeSnapshots", "*"),
            access("ec2:CreateSnapshot", EC2 + "volume/vol-1"),
            access("ec2:CreateSnapshot", SNAPSHOT + "*"),
            new Access("ec2:CreateTags", SNAPSHOT + "*", Map.of(create, "CreateSnapshot")),
            new Access("ec2:DeleteSnapshot", SNAPSHOT + "snap-1", Map.of(tag, "elastune"))),
        List.of(
            access("ec2:CreateTags", SNAPSHOT + "snap-1"),
            new Access("ec2:CreateTags", SNAPSHOT + "*", Map.of(create, "CopySnapshot")),
            access("ec2:DeleteSnapshot", SNAPSHOT + "snap-1"),
            new Access("ec2:DeleteSnapshot", SNAPSHOT + "snap-1", Map.of(tag, "other")),
            access("ec2:DeleteVolume", EC2 + "volume/vol-1")));
  }

  /** The calls of the reaper, which ReaperIT makes, and those of AWS Lambda for its log. */
  @Test
  void reaperTerminatesInstancesOfRunsAlone() throws IOException {
    String tag = "ec2:ResourceTag/" + Tags.RUN;
    PolicyEffects.assertEachIsRequired(
        policy("reaper", Map.of("log_group", LOG)),
        List.of(
            access("ec2:DescribeInstances", "*"),
            new Access("ec2:TerminateInstances", EC2 + "instance/i-1", Map.of(tag, "r-1")),
            access("logs:CreateLogStream", LOG + ":log-stream:a"),
            access("logs:PutLogEvents", LOG + ":log-stream:a")),
        List.of(
            access("ec2:TerminateInstances", EC2 + "instance/i-1"),
            access("logs:PutLogEvents", LOG + "-other:log-stream:a")));
  }

  /** Allowed are encrypted connections, for which other policies decide. */
  @Test
  void bucketRefusesConnectionsInClearText() throws IOException {
    String bucket = "arn:aws:s3:::elastune-checkpoints";
    FakePolicy policy = policy("bucket", Map.of("bucket", bucket));
    List<Access> inClearText =
        List.of(
            connection("s3:ListBucket", bucket, "false"),
            connection("s3:PutObject", bucket + "/runs/r-1", "false"));
    List<Access> encrypted =
        List.of(
            connection("s3:ListBucket", bucket, "true"),
            connection("s3:PutObject", bucket + "/runs/r-1", "true"),
            connection("s3:PutObject", bucket + "-other/runs/r-1", "false"));

    assertThat(inClearText).allMatch(policy::denies);
    assertThat(encrypted).noneMatch(policy::denies);
    assertThat(policy.narrower()).hasSize(3); // the action and two resources
    assertThat(policy.narrower().values())
        .allMatch(narrower -> inClearText.stream().anyMatch(access -> !narrower.denies(access)));
    assertThat(policy.wider().values())
        .hasSize(1)
        .allMatch(wider -> encrypted.stream().anyMatch(wider::denies));
  }

  private static Access connection(String action, String resource, String encrypted) {
    return new Access(action, resource, Map.of("aws:SecureTransport", encrypted));
  }
}
