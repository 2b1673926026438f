package io.elastune.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import tools.jackson.databind.JsonNode;

/** Tests {@code orphans}, {@code check} and {@code offers} with AWS and Google Cloud together. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class MultiCloudAccountTest {
  private static final List<String> PROPERTIES =
      List.of(
          "aws.endpointUrl",
          "aws.region",
          "aws.accessKeyId",
          "aws.secretAccessKey",
          "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE",
          "CLOUDSDK_CONFIG",
          "GOOGLE_APPLICATION_CREDENTIALS",
          "GOOGLE_CLOUD_PROJECT");
  private static final String SETTINGS =
      """
      aws:
        us-east-1: {image: ami-01, subnets: {us-east-1a: subnet-0a}}
      gcp:
        regions:
          us-central1: {image: projects/my-project/global/images/gpu, zones: [us-central1-a]}
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
      resources:
        infra: [aws/us-east-1, gcp/us-central1]
        instance_types: [g5.xlarge, g2-standard-4]
        max_instances: 4
      """;

  @TempDir private Path folder;
  private FakeAws aws;
  private FakeGcp gcp;

  @BeforeEach
  void open() throws IOException {
    aws = new FakeAws(InstantSource.system());
    gcp = new FakeGcp(InstantSource.system());
    List<String> values =
        List.of(
            aws.url(),
            "us-east-1",
            "test",
            "test",
            gcp.url() + "/compute/v1/",
            folder.resolve("none").toString(),
            TestCredentials.write(folder).toString(),
            "my-project");
    for (int i = 0; i < PROPERTIES.size(); i++) {
      System.setProperty(PROPERTIES.get(i), values.get(i));
    }
  }

  @AfterEach
  void close() {
    aws.close();
    gcp.close();
    PROPERTIES.forEach(System::clearProperty);
    assertThat(gcp.violations()).isEmpty();
  }

  @Test
  void listsAndTerminatesOnBothClouds() {
    addToBoth();
    JsonNode found = new InProcessCli(folder).run("orphans", "--json").json();
    assertThat(found).hasSize(2);
    assertThat(found.toString())
        .contains("\"provider\":\"aws\"", "\"provider\":\"gcp\"", "us-central1-b/elastune-mine-1");
    JsonNode onGoogle =
        found.path(0).path("provider").asString().equals("gcp") ? found.path(0) : found.path(1);
    assertThat(onGoogle.path("usd_per_hour").asDouble()).isEqualTo(0.706832255);
    assertThat(onGoogle.path("state").asString()).isEqualTo("expired");

    InProcessCli.Result ended = new InProcessCli(folder).run("orphans", "--delete", "-y");
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("Terminated 2 instances;");
    assertThat(aws.ec2().runningLeases()).isEmpty();
    assertThat(gcp.compute().existingLeases()).isEmpty();
  }

  @Test
  void skipsCloudWithoutCredentials() {
    addToBoth();
    System.clearProperty("GOOGLE_APPLICATION_CREDENTIALS");
    InProcessCli.Result result = new InProcessCli(folder).run("orphans", "--json");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.json()).hasSize(1);
    assertThat(result.err()).contains("gcp is skipped: there are no Google credentials");

    InProcessCli.Result named =
        new InProcessCli(folder).run("orphans", "--infra", "gcp/us-central1");
    assertThat(named.exit()).isEqualTo(15);
    assertThat(named.err()).contains("Google credentials", "gcloud auth application-default login");
  }

  /** A cluster without its token, and a cloud without permission, do not hide the other cloud. */
  @Test
  void namesWhatCannotBeExamined() throws IOException {
    addToBoth();
    gcp.deny(Set.of("compute.instances.list"));
    Files.writeString(
        Files.createDirectories(folder.resolve("home")).resolve("clouds.yaml"),
        SETTINGS + "ray: {lab: {python: python3, token_env: ELASTUNE_TEST_NO_TOKEN}}\n");

    InProcessCli.Result listed = new InProcessCli(folder).run("orphans", "--json");
    assertThat(listed.exit()).isEqualTo(20);
    assertThat(listed.json()).hasSize(1);
    assertThat(listed.err())
        .contains(
            "gcp was not examined: ",
            "compute.instances.list",
            "ray/lab was not examined: The token of the Ray cluster is missing: the environment"
                + " variable ELASTUNE_TEST_NO_TOKEN is not set. Its instances may still be billed:"
                + " correct this, and run 'elastune orphans --infra ray/lab'");

    InProcessCli.Result ended = new InProcessCli(folder).run("orphans", "--delete", "-y");
    assertThat(ended.exit()).isEqualTo(20);
    assertThat(ended.out()).contains("Terminated 1 instance;");
    assertThat(ended.err()).containsOnlyOnce("ray/lab was not examined: ");
    assertThat(aws.ec2().runningLeases()).isEmpty();

    InProcessCli.Result alone = new InProcessCli(folder).run("orphans", "--infra", "ray/lab");
    assertThat(alone.exit()).isEqualTo(15);
    assertThat(alone.err()).contains("ELASTUNE_TEST_NO_TOKEN is not set");
  }

  @Test
  void unreachableZoneIsNotAnEmptyList() {
    gcp.faults(
        method ->
            method.equals("compute.instances.aggregatedList") ? Fault.UNREACHABLE : Fault.NONE);
    InProcessCli.Result result =
        new InProcessCli(folder).run("orphans", "--infra", "gcp/us-central1");
    assertThat(result.exit()).isEqualTo(20);
    assertThat(result.err()).contains("us-central1-b", "instances may still be billed");
  }

  @Test
  void namesMissingPermissionOrApi() {
    gcp.deny(Set.of("compute.instances.list"));
    InProcessCli.Result result =
        new InProcessCli(folder).run("orphans", "--infra", "gcp/us-central1");
    assertThat(result.exit()).isEqualTo(15);
    assertThat(result.err()).contains("lack the permission compute.instances.list");

    gcp.deny(Set.of());
    gcp.refuse(
        "compute.instances.aggregatedList", 403, "accessNotConfigured", "It has not been used.");
    InProcessCli.Result api = new InProcessCli(folder).run("orphans", "--infra", "gcp/us-central1");
    assertThat(api.exit()).isEqualTo(15);
    assertThat(api.err()).contains("gcloud services enable compute.googleapis.com");
  }

  /** With Google's message as of November 2026. */
  @Test
  void checkNamesMissingBillingAccount() throws IOException {
    settings();
    gcp.refuse(
        "compute.projects.get",
        403,
        "forbidden",
        "This API method requires billing to be enabled. Please enable billing on project"
            + " #my-project by visiting"
            + " https://console.developers.google.com/billing/enable?project=my-project then"
            + " retry.");
    InProcessCli.Result result = new InProcessCli(folder).run("check", "--json");
    assertThat(result.exit()).isEqualTo(15);
    String detail =
        result
            .json()
            .valueStream()
            .filter(finding -> finding.path("check").asString().equals("credentials gcp"))
            .map(finding -> finding.path("ok") + " " + finding.path("detail").asString())
            .findFirst()
            .orElseThrow();
    assertThat(detail)
        .startsWith("false this project has no billing account")
        .contains("gcloud billing projects link", "project #my-project");
  }

  @Test
  void checksBothClouds() throws IOException {
    settings();
    Path job = Files.writeString(folder.resolve("job.yaml"), JOB);
    gcp.compute().quotas().limit("NVIDIA_L4_GPUS", 3);
    InProcessCli.Result result = new InProcessCli(folder).run("check", job.toString());
    String out = result.out().replaceAll("\\s+", " ");
    assertThat(result.exit()).as(out).isEqualTo(14);
    assertThat(out)
        .contains(
            "credentials us-east-1 ok arn:aws:iam",
            "credentials gcp ok tester@my-project.iam.gserviceaccount.com, project my-project",
            "permissions in us-central1-a ok",
            "zones with g2-standard-4 ok us-central1-a",
            "quota NVIDIA_L4_GPUS no 3 GPUs allowed, 0 in use, up to 4 needed for 4 instances",
            "quota GPUS_ALL_REGIONS ok");
    assertThat(gcp.calls("compute.acceleratorTypes.aggregatedList")).isEqualTo(1);
    assertThat(gcp.compute().existingLeases()).isEmpty();
  }

  @Test
  void checksConfiguredCloudsWithoutJob() throws IOException {
    settings();
    String out = new InProcessCli(folder).run("check").out();
    assertThat(out).contains("credentials us-east-1", "credentials gcp");
    Files.writeString(
        folder.resolve("home/clouds.yaml"), SETTINGS.substring(SETTINGS.indexOf("gcp:")));
    assertThat(new InProcessCli(folder).run("check").out())
        .contains("credentials gcp")
        .doesNotContain("us-east-1");
  }

  @Test
  void offersLiveTypesAndQuotas() throws IOException {
    settings();
    InProcessCli.Result result =
        new InProcessCli(folder)
            .run("offers", "--infra", "gcp/us-central1", "--gpu", "L4", "--json");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.json().path("source").asString())
        .isEqualTo("gcp, live types and quotas, shipped prices");
    assertThat(result.json().path("offers")).hasSize(4);
    assertThat(result.json().toString())
        .contains("NVIDIA_L4_GPUS in us-central1", "GPUS_ALL_REGIONS");
    assertThat(gcp.calls("compute.acceleratorTypes.aggregatedList"))
        .as("the shipped table has no prices of attached GPUs")
        .isZero();
  }

  private void settings() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), SETTINGS);
  }

  private void addToBoth() {
    String expires = Long.toString(InProcessCli.NOW.getEpochSecond() - 600);
    Map<String, String> tags =
        Map.of(Tags.RUN, "mine", Tags.OWNER, "tester", Tags.LEASE, "mine-1", Tags.EXPIRES, expires);
    aws.ec2().add("g5.xlarge", tags);
    gcp.compute().add("us-central1-b", "elastune-mine-1", "g2-standard-4", tags);
  }
}
