package io.elastune.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.GoldenFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import tools.jackson.databind.JsonNode;

/** Tests the commands {@code orphans} and {@code check}, with the real SDK and a fake EC2. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class AccountCommandsTest {
  private static final String SETTINGS =
      """
      aws:
        us-east-1:
          image: ami-01
          subnets: {us-east-1a: subnet-0a}
      """;
  private static final String JOB =
      """
      name: needs
      deadline: 1h
      search:
        algorithm: random
        metric: {name: acc, goal: maximize}
        trials: 4
        resource: {unit: epoch, min: 1, max: 8}
        space: {lr: {type: loguniform, low: 1e-4, high: 1}}
      trial: {run: "true", gpus: 1}
      resources: {infra: [aws/us-east-1], instance_types: [g5.xlarge], max_instances: 4}
      """;

  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void open() throws IOException {
    aws = new FakeAws(InstantSource.system());
    System.setProperty("aws.endpointUrl", aws.url());
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
  }

  @AfterEach
  void close() {
    aws.close();
    List.of("aws.endpointUrl", "aws.region", "aws.accessKeyId", "aws.secretAccessKey")
        .forEach(System::clearProperty);
  }

  @Test
  void listsInstancesWithOwnerAndExpiry() {
    add("mine-20261123-ab12", -600);
    add("hers-20261123-cd34", 900);
    GoldenFiles.check("orphans", run("orphans").out());

    JsonNode json = run("orphans", "--infra", "aws/us-east-1", "--json").json();
    assertThat(json).hasSize(2);
    assertThat(json.path(0).path("state").asString()).isEqualTo("expired");
    assertThat(json.path(0).path("usd_per_hour").asDouble()).isEqualTo(1.006);
    assertThat(json.path(1).path("state").asString()).isEqualTo("unexpired");
    assertThat(json.path(1).path("run").asString()).isEqualTo("hers-20261123-cd34");
    assertThat(json.path(1).path("provider").asString()).isEqualTo("aws");
  }

  @Test
  void reportsNoInstances() {
    assertThat(run("orphans").out()).isEqualTo("No Elastune instances found.\n");
    assertThat(run("orphans", "--json").json()).isEmpty();
    assertThat(run("orphans", "--infra", "local").out()).contains("No Elastune instances");
  }

  @Test
  void deleteTerminatesOnlyExpiredByDefault() {
    add("mine-20261123-ab12", -600);
    add("hers-20261123-cd34", 900);
    assertThat(run("orphans", "--delete", "-y").out())
        .contains("Terminated 1 instance;", "none of them is left");
    assertThat(aws.ec2().runningLeases()).containsExactly("hers-20261123-cd34-1");

    assertThat(run("orphans", "--delete", "-y").out()).contains("None is expired", "--all");
    assertThat(aws.ec2().runningLeases()).hasSize(1);

    run("orphans", "--delete", "--all", "-y");
    assertThat(aws.ec2().runningLeases()).isEmpty();
  }

  @Test
  void deleteRequiresConfirmation() {
    add("mine-20261123-ab12", -600);
    InProcessCli.Result result = new InProcessCli(folder).run("orphans", "--delete");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(aws.ec2().runningLeases()).hasSize(1);
  }

  @Test
  void unreachableCloudLeavesCleanupUnconfirmed() {
    add("mine-20261123-ab12", -600);
    aws.faults(action -> action.equals("DescribeInstances") ? Fault.LOST_BEFORE : Fault.NONE);
    InProcessCli.Result result =
        new InProcessCli(folder).run("orphans", "--infra", "aws/us-east-1");
    assertThat(result.exit()).isEqualTo(20);
    assertThat(result.err()).contains("instances may still be billed");
  }

  @Test
  void orphansNamesMissingPermission() {
    aws.deny(Set.of("ec2:DescribeInstances"));
    InProcessCli.Result result =
        new InProcessCli(folder).run("orphans", "--infra", "aws/us-east-1");
    assertThat(result.exit()).isEqualTo(15);
    assertThat(result.err()).contains("ec2:DescribeInstances");
  }

  @Test
  void reportsMissingCredentials() {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    System.setProperty("aws.disableEc2Metadata", "true");
    try {
      InProcessCli.Result result =
          new InProcessCli(folder).run("orphans", "--infra", "aws/us-east-1");
      assertThat(result.exit()).isEqualTo(15);
      assertThat(result.err()).contains("no usable AWS credentials", "aws configure");
      assertThat(aws.calls()).isEmpty();
    } finally {
      System.clearProperty("aws.disableEc2Metadata");
    }
  }

  @Test
  void rejectsUnknownProvider() {
    assertThat(new InProcessCli(folder).run("orphans", "--infra", "aw/us-east-1").exit())
        .isEqualTo(2);
    assertThat(new InProcessCli(folder).run("orphans", "--infra", "aws/a/b/c").exit()).isEqualTo(2);
  }

  @Test
  void checkPassesForCompleteAccount() throws IOException {
    settings();
    Path ray = Files.writeString(folder.resolve("ray"), "#!/bin/sh\necho elastune 3.11 2.58.0\n");
    Files.setPosixFilePermissions(ray, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(
        folder.resolve("home/clouds.yaml"),
        SETTINGS
            + "rented_nodes: {head_python: %1$s, python: %1$s, head_address: 127.0.0.1}\n"
                .formatted(ray));
    InProcessCli.Result result = check("--json");
    Map<String, Boolean> oks = oks(result);
    oks.remove("clock"); // the clock of the test is fixed
    oks.remove("Ray head address"); // only an instance can test it
    oks.remove("Ray on instances"); // the same
    assertThat(oks).allSatisfy((check, ok) -> assertThat(ok).as(check).isTrue());
    assertThat(oks.keySet())
        .contains(
            "credentials us-east-1",
            "launch g5.xlarge in us-east-1a",
            "zones with g5.xlarge",
            "Ray on this machine");
    assertThat(result.out()).contains("arn:aws:iam::111122223333:user/tester");
    assertThat(aws.ec2().launchedLeases()).isEmpty();
  }

  /** A run would be refused before it rents anything. */
  @Test
  void checkReportsMissingRay() throws IOException {
    settings();
    Files.writeString(
        folder.resolve("home/clouds.yaml"),
        SETTINGS
            + "rented_nodes: {head_python: /does/not/exist, python: /opt/ray/bin/python,"
            + " head_address: 192.0.2.77}\n");
    InProcessCli.Result result = check("--json");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(oks(result))
        .containsEntry("Ray on this machine", false)
        .containsEntry("Ray head address", false);
    assertThat(result.out())
        .contains("install Ray 2.58.0", "rented_nodes.head_python", "rented_nodes.head_address");
  }

  @Test
  void checkReportsMissingRuntime() throws IOException {
    settings();
    InProcessCli.Result result = check("--json");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(oks(result)).containsEntry("Ray on instances", false);
    assertThat(result.out())
        .contains(folder.resolve("home/runtimes").toString(), "run 'elastune runtime build'");
  }

  @Test
  void checkReportsClockSkew() throws IOException {
    settings();
    InProcessCli.Result result = check("--json");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(oks(result)).containsEntry("clock", false);
    assertThat(result.err().replaceAll("\\s+", " "))
        .contains("nodes would shut down too early", "NTP");
  }

  @Test
  void checkNamesTooSmallQuota() throws IOException {
    settings();
    aws.account().quota("L-DB2E81BA", 15);
    InProcessCli.Result result = check("--json");
    assertThat(result.exit()).isEqualTo(14);
    assertThat(result.err())
        .contains("L-DB2E81BA", "15 vCPUs allowed, 0 in use, up to 16 needed for 4 instances");
  }

  @Test
  void checkReportsTypeMissingInZones() throws IOException {
    settings();
    aws.account().zones(Set.of("us-east-1f"));
    InProcessCli.Result result = check();
    assertThat(result.exit()).isEqualTo(14);
    assertThat(result.out()).contains("g5.xlarge is available in [us-east-1f]");
  }

  /** 4 × 7 GB at 150 MB/s are 187 s, more than 5 % of 1 h. */
  @Test
  void checkWarnsOfSlowCheckpoints() throws IOException {
    settings();
    Files.writeString(
        folder.resolve("large.yaml"),
        JOB.replace("gpus: 1}", "gpus: 1, checkpoint: {size_gb: 7}}"));
    InProcessCli.Result large = new InProcessCli(folder).run("check", "large.yaml");

    assertThat(large.out().replaceAll("\\s+", " "))
        .contains(
            "checkpoints ok slow: up to 3m07s at the end of group 1, 3m07s in all groups",
            "checkpoints: 4 × 7 GB go to the controller's disk at 150 MB/s;"
                + " set trial.checkpoint.store to a bucket or a shared folder");
    assertThat(check().out()).doesNotContain("checkpoints");
  }

  @Test
  void missingPermissionDeterminesExitCode() throws IOException {
    settings();
    aws.deny(Set.of("ec2:RunInstances"));
    aws.account().quota("L-DB2E81BA", 0);
    InProcessCli.Result result = check();
    assertThat(result.exit()).isEqualTo(15);
    assertThat(result.out())
        .contains("may not ec2:RunInstances", "see docs/aws.md for the required policy");
  }

  @Test
  void checkExplainsMissingSettings() {
    InProcessCli.Result result = new InProcessCli(folder).run("check");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).contains("clouds.yaml not found", "see docs/aws.md for an example");
    assertThat(new InProcessCli(folder).run("check", "--infra", "local").exit()).isZero();
  }

  private InProcessCli.Result check(String... more) throws IOException {
    Path job = Files.writeString(folder.resolve("job.yaml"), JOB);
    List<String> arguments = new ArrayList<>(List.of("check", job.toString()));
    arguments.addAll(List.of(more));
    return new InProcessCli(folder).run(arguments.toArray(new String[0]));
  }

  private static Map<String, Boolean> oks(InProcessCli.Result result) {
    Map<String, Boolean> oks = new TreeMap<>();
    result.json().forEach(f -> oks.put(f.path("check").asString(), f.path("ok").asBoolean()));
    return oks;
  }

  private void settings() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), SETTINGS);
  }

  private void add(String run, long expiresInS) {
    String expires = Long.toString(InProcessCli.NOW.getEpochSecond() + expiresInS);
    aws.ec2()
        .add(
            "g5.xlarge",
            Map.of(
                Tags.RUN,
                run,
                Tags.OWNER,
                "tester",
                Tags.LEASE,
                run + "-1",
                Tags.EXPIRES,
                expires));
  }

  private InProcessCli.Result run(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
