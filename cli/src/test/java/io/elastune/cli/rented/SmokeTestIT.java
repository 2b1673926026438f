package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Executes scripts/smoke-test, which is made for real accounts, on the fakes. */
@Execution(ExecutionMode.CONCURRENT)
class SmokeTestIT {
  private static final String AWS = "aws/us-east-1";
  private static final String GCP = "gcp/us-central1";
  private static final String SETTINGS =
      """
      aws:
        us-east-1: {image: ami-01, subnets: {us-east-1a: subnet-0a}}
      gcp:
        project: my-project
        regions:
          us-central1: {image: projects/my-project/global/images/gpu, zones: [us-central1-a]}
      """;

  @TempDir private Path folder;
  private FakeAws aws;
  private FakeGcp gcp;

  @BeforeEach
  void open() throws IOException {
    aws = new FakeAws(InstantSource.system());
    aws.ec2().times(lease -> FakeTimes.millis(100, 100, 100));
    gcp = new FakeGcp(InstantSource.system());
    Files.writeString(folder.resolve("clouds.yaml"), SETTINGS);
  }

  @AfterEach
  void close() {
    aws.close();
    gcp.close();
    assertThat(gcp.violations()).isEmpty();
  }

  private RunningCommand start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(ExampleFiles.REPOSITORY.resolve("scripts/smoke-test").toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> variables = new HashMap<>();
    variables.put("PATH", folder + ":" + System.getenv("PATH"));
    variables.put("JAVA_HOME", System.getProperty("java.home"));
    variables.put("JDK_JAVA_OPTIONS", LauncherProcess.FAST_JVM);
    variables.put("ELASTUNE_CLASSPATH", System.getProperty("java.class.path"));
    variables.put("ELASTUNE_HOME", folder.toString());
    variables.put("AWS_ENDPOINT_URL", aws.url());
    variables.put("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
    variables.put("AWS_SECRET_ACCESS_KEY", "test");
    variables.put("CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", gcp.url() + "/compute/v1/");
    variables.put("GOOGLE_APPLICATION_CREDENTIALS", TestCredentials.write(folder).toString());
    builder.environment().putAll(variables);
    return RunningCommand.start(builder, folder);
  }

  private CommandResult rent(String infra, int exit) throws Exception {
    return start("--infra", infra, "--budget", "1", "--rent-and-pay").awaitExit().assertExit(exit);
  }

  /** Creates a program of a cloud that logs its calls and executes these lines. */
  private void addTool(String name, String lines) throws IOException {
    Path tool = folder.resolve(name);
    Files.writeString(tool, "#!/bin/sh\necho \"$*\" >>'" + calls() + "'\n" + lines);
    assertThat(tool.toFile().setExecutable(true)).isTrue();
  }

  private Path calls() {
    return folder.resolve("calls");
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void refusesWithoutBudgetOrConfirmation() throws Exception {
    CommandResult unconfirmed = start("--infra", AWS, "--budget", "1").awaitExit().assertExit(2);
    assertThat(unconfirmed.out())
        .contains("3 in succession, each for at most 15 minutes, together at most $0.4");
    assertThat(unconfirmed.err()).contains("nothing is rented without --rent-and-pay");
    CommandResult low =
        start("--infra", AWS, "--budget", "0.10", "--rent-and-pay").awaitExit().assertExit(2);
    assertThat(low.err()).contains("refused: this needs --budget 0.4");
    CommandResult expensive =
        start("--infra", AWS, "--type", "p5.48xlarge", "--budget", "99", "--rent-and-pay")
            .awaitExit()
            .assertExit(2);
    assertThat(expensive.err()).contains("refused: this may cost more than $3.00");
    assertThat(aws.calls()).isEmpty();
  }

  @Test
  void answersAllQuestionsOnAws() throws Exception {
    aws.ec2().console((id, userData) -> reportsFacts(userData) ? FACTS : "ELASTUNE-NODE ready 1\n");
    addTool("aws", "case $2 in create*) echo EXT123 ;; esac");
    RunningCommand command =
        start(
                "--infra",
                AWS,
                "--budget",
                "1",
                "--rent-and-pay",
                "--fis-role",
                "arn:aws:iam::1:role/fis")
            .awaitOutput("interruption requested");
    aws.ec2().giveInterruptionNotice(aws.ec2().runningLeases().get(0));
    command.awaitOutput("Leaving[");
    aws.ec2().interrupt(aws.ec2().runningLeases().get(0));
    CommandResult passed = command.awaitExit().assertExit(0);
    assertThat(passed.out()).contains("Ready[", "found by its tag", "Terminated[");
    assertReport(passed.out());
    assertThat(passed.out()).contains("with $0.50 for the interruption", "ce get-cost-and-usage");
    assertThat(Files.readAllLines(calls()))
        .satisfiesExactly(
            create ->
                assertThat(create)
                    .contains("--region us-east-1", "\"roleArn\":\"arn:aws:iam::1:role/fis\"")
                    .contains("\"resourceTags\":{\"elastune-run\":\"smoke-"),
            call ->
                assertThat(call)
                    .endsWith(
                        "start-experiment --region us-east-1 --experiment-template-id EXT123"),
            call ->
                assertThat(call)
                    .endsWith("delete-experiment-template --region us-east-1 --id EXT123"));
    List<String> leases = aws.ec2().launchedLeases();
    assertThat(leases).hasSize(3).allMatch(lease -> lease.startsWith("smoke-"));
    assertThat(aws.ec2().runningLeases()).isEmpty();
    assertThat(leases)
        .allSatisfy(
            lease ->
                assertThat(aws.ec2().launchCall(lease))
                    .containsEntry("InstanceType", "g4dn.xlarge"));
    assertThat(aws.ec2().launchCall(leases.get(0)))
        .containsEntry("InstanceMarketOptions.MarketType", "spot");
  }

  /** Spot may not accept a parameter of the launch. On demand still answers its questions. */
  @Test
  @Tag(Tier.NIGHTLY)
  void continuesOnDemandWhenSpotIsRefused() throws Exception {
    aws.ec2().console((id, userData) -> reportsFacts(userData) ? FACTS : "ELASTUNE-NODE ready 1\n");
    aws.ec2()
        .refuse(
            "g4dn.xlarge",
            "us-east-1a",
            1,
            400,
            "InvalidParameterCombination",
            "Termination protection is not supported for Spot Instances");
    CommandResult failed = rent(AWS, 1);
    assertThat(failed.err()).contains("[InvalidParameterCombination]");
    List<String> rows = rows(failed.out());
    assertThat(rows.get(0))
        .contains("| no: ec2:RunInstances: Termination", "[InvalidParameterCombination]");
    assertThat(rows.get(1)).contains("yes, on demand after ");
    assertThat(rows.get(10)).endsWith("| unknown: no spot instance ran |");
    assertThat(aws.ec2().launchedLeases()).hasSize(2);
    assertThat(aws.ec2().runningLeases()).isEmpty();
  }

  /** Without permission for Fault Injection Service, the report names the command to try. */
  @Test
  @Tag(Tier.NIGHTLY)
  void namesCommandToTryWhenInterruptionIsRefused() throws Exception {
    aws.ec2().console((id, userData) -> reportsFacts(userData) ? FACTS : "ELASTUNE-NODE ready 1\n");
    addTool("aws", "echo 'AccessDeniedException: not authorized to perform fis' >&2; exit 254");
    CommandResult passed =
        start(
                "--infra",
                AWS,
                "--budget",
                "1",
                "--rent-and-pay",
                "--fis-role",
                "arn:aws:iam::1:role/fis")
            .awaitExit()
            .assertExit(0);
    assertThat(passed.out())
        .contains("unknown: exit code 254, AccessDeniedException: not authorized to perform fis")
        .contains("to try: `aws fis create-experiment-template --query ");
    assertThat(aws.ec2().runningLeases()).isEmpty();
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void answersAllQuestionsOnGoogle() throws Exception {
    gcp.compute()
        .guestAttribute(
            (name, script) ->
                reportsFacts(script) ? FACTS.replace("ELASTUNE-NODE ", "") : "ready 1");
    addTool("gcloud", "");
    RunningCommand command =
        start("--infra", GCP, "--budget", "1", "--rent-and-pay")
            .awaitOutput("interruption requested");
    gcp.compute().preempt(gcp.compute().existingLeases().get(0), Duration.ofSeconds(2));
    CommandResult passed = command.awaitExit().assertExit(0);
    assertThat(Files.readString(calls()))
        .startsWith(
            "compute instances simulate-maintenance-event --async --quiet --zone us-central1-a e");
    assertThat(passed.out()).contains("Ready[", "found by its tag", "Terminated[");
    assertReport(passed.out());
    assertThat(gcp.compute().createdLeases()).hasSize(3);
    assertThat(gcp.compute().existingLeases()).isEmpty();
    String seconds =
        gcp.compute()
            .resource(gcp.compute().createdLeases().get(0))
            .at("/scheduling/maxRunDuration/seconds")
            .asString();
    assertThat(seconds).isEqualTo("840");
  }

  /** The answer of a setup that reports facts, and fails. */
  private static final String FACTS =
      "ELASTUNE-NODE failed 7 "
          + Base64.getEncoder()
              .encodeToString(
                  """
                  FACT python Python 3.10.12
                  FACT started elastune-dead-man 8100000
                  FACT started amazon-ssm-agent 14200000
                  FACT expires 1790000000
                  FACT gpu GPU 0: Tesla T4
                  FACT training yes: CUDA writes and reads the memory of 1 GPU; torch is not in the image
                  """
                      .getBytes(StandardCharsets.UTF_8))
          + "\n";

  private static boolean reportsFacts(String script) {
    return Pattern.compile("[A-Za-z0-9+/=]{80,}")
        .matcher(script)
        .results()
        .anyMatch(
            text ->
                new String(Base64.getDecoder().decode(text.group()), StandardCharsets.UTF_8)
                    .contains("FACT python"));
  }

  private static List<String> rows(String out) {
    return out.lines().filter(line -> line.matches("\\| \\d+\\. .*")).toList();
  }

  /** Every question of the report is answered, in its order. */
  private static void assertReport(String out) {
    assertThat(out).contains("### Smoke test of ", ": passed").doesNotContain("not answered");
    assertThat(rows(out))
        .hasSize(11)
        .satisfiesExactly(
            spot -> assertThat(spot).contains("| yes: it ran after "),
            console -> assertThat(console).contains("yes, spot after ", "yes, on demand after "),
            timer -> assertThat(timer).contains("elastune-dead-man 8100000, amazon-ssm-agent 142"),
            python -> assertThat(python).contains("| Python 3.10.12 |"),
            role -> assertThat(role).contains("spot after "),
            expiry -> assertThat(expiry).contains("| yes: 1790000000 |"),
            end -> assertThat(end).contains(" s after the release"),
            bill -> assertThat(bill).contains("elastune-run", "smoke-"),
            gpu -> assertThat(gpu).contains("| GPU 0: Tesla T4 |"),
            training -> assertThat(training).contains("| yes: CUDA writes and reads "),
            interruption -> assertThat(interruption).contains("| yes: announced after "));
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void releasesInstancesWhoseTimerIsNotArmed() throws Exception {
    aws.ec2().console((id, userData) -> "ELASTUNE-NODE failed 3 aW5hY3RpdmU=\n");
    CommandResult failed = rent(AWS, 1);
    assertThat(failed.err()).contains("failed: PreparationFailed", "inactive", "reported no facts");
    assertThat(failed.out()).contains("Terminated[", ": failed");
    assertThat(aws.ec2().launchedLeases()).hasSize(3);
    assertThat(aws.ec2().runningLeases()).isEmpty();
  }

  /** The fake node shuts down as its timer would; the expiry is in minutes. */
  @Test
  @Tag(Tier.NIGHTLY)
  void leavesEndToDeadManTimer() throws Exception {
    RunningCommand command =
        start("--infra", AWS, "--budget", "1", "--rent-and-pay", "--dead-man")
            .awaitOutput("the controller stops");
    String lease = aws.ec2().runningLeases().get(0);
    long expires = Long.parseLong(aws.ec2().tags(lease).get(Tags.EXPIRES));
    assertThat(expires - InstantSource.system().instant().getEpochSecond()).isBetween(60L, 840L);
    aws.ec2().shutDown(lease);
    CommandResult passed = command.awaitExit().assertExit(0);
    assertThat(passed.out()).contains("no instance has the tag of the run any more", ": passed");
    assertThat(passed.out()).doesNotContain("terminating");
  }
}
