package io.elastune.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.GoldenFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.provisioner.aws.fake.FakeAws;
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
import tools.jackson.databind.json.JsonMapper;

/** Tests live prices of a configured account, with the real SDK and a fake AWS. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class LiveOffersCommandTest {
  private static final String SETTINGS = "aws: {us-east-1: {image: ami-01}}\n";

  private static final String JOB =
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
      trial: {run: "true", gpus: 1}
      resources: {infra: [aws/us-east-1], instance_types: [g5.xlarge], max_instances: 2}
      """;
  private static final String PROFILE =
      """
      program: tiny
      gpu: A10G
      unit: epoch
      measured: {at: 2026-11-20T06:00:00Z, source: synthetic, samples: 40}
      training: [{gpus: 1, seconds: 120}]
      startup_s: {mean: 10, cv: 0}
      checkpoint_s: {mean: 0, cv: 0}
      trial_cv: 0
      unit_cv: 0
      provisioning:
        - offer: aws/us-east-1/g5.xlarge/on-demand
          queue_s: {mean: 20, cv: 0.1}
          boot_s: {mean: 60, cv: 0.1}
          samples: 4
      """;

  /** Hides any credentials of this machine. */
  private static final Map<String, String> NO_CREDENTIALS =
      Map.of(
          "aws.sharedCredentialsFile", "/nowhere/credentials",
          "aws.configFile", "/nowhere/config",
          "aws.disableEc2Metadata", "true");

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
  void listsLivePricesWithQuotas() throws IOException {
    setUp(folder.resolve("home/clouds.yaml"));
    aws.account().quota("L-DB2E81BA", 96);
    GoldenFiles.check("offers-live", run("offers", "--gpu", "A10G").out());
  }

  @Test
  void readsSettingsFromAnotherFile() throws IOException {
    setUp(folder.resolve("mine.yaml"));
    assertThat(run("offers", "--gpu", "A10G", "--clouds", "mine.yaml").out())
        .startsWith("Offers (aws price list ");
    assertThat(run("offers", "--gpu", "A10G", "--clouds=mine.yaml").out())
        .startsWith("Offers (aws price list ");
    assertThat(run("offers", "--gpu", "A10G").out()).startsWith("Offers (aws, shipped table: ");
  }

  @Test
  void sendsNoRequestWithoutAccount() {
    assertThat(run("offers", "--infra", "aws/us-east-1").out()).contains("aws, shipped table");
    assertThat(aws.calls()).isEmpty();
  }

  @Test
  void missingPermissionForPricesKeepsTheOtherParts() throws IOException {
    setUp(folder.resolve("home/clouds.yaml"));
    aws.deny(Set.of("pricing:GetProducts"));
    InProcessCli.Result result = run("offers", "--infra", "aws/us-east-1", "--gpu", "A10G");
    assertThat(result.out())
        .startsWith("Offers (aws price list ")
        .containsPattern("aws/us-east-1/g5.xlarge/on-demand +1 × A10G +~\\$1.01/h of 2026-07-20")
        .containsPattern("us-east-1a/g5.xlarge/spot +1 × A10G +\\$0.41/h\n")
        .contains("Running On-Demand G and VT instances in us-east-1")
        .contains("On-demand prices of us-east-1 are unavailable: ", "pricing:GetProducts")
        .endsWith("shipped prices are used, marked ~ with their date\n");

    JsonNode json =
        JsonMapper.shared().readTree(run("offers", "--infra", "aws/us-east-1", "--json").out());
    assertThat(json.path("notes").path(0).asString()).contains("pricing:GetProducts");
    assertThat(json.path("price_dates").path("aws/us-east-1/g5.xlarge/on-demand").asString())
        .isEqualTo("2026-07-20");
  }

  @Test
  void planMarksReplacedPrices() throws IOException {
    setUp(folder.resolve("home/clouds.yaml"));
    aws.deny(Set.of("pricing:GetProducts"));
    Files.writeString(folder.resolve("job.yaml"), JOB);
    Files.writeString(folder.resolve("a10g.yaml"), PROFILE);
    String name = "aws/us-east-1/g5.xlarge/on-demand";

    assertThat(run("plan", "job.yaml", "--profile", "a10g.yaml").out())
        .contains(" ~ uses the price of 2026-07-20 for " + name)
        .contains(" On-demand prices of us-east-1 are unavailable: ", "pricing:GetProducts")
        .doesNotContain("assumed queueing and boot times");
    JsonNode json =
        JsonMapper.shared()
            .readTree(run("plan", "job.yaml", "--profile", "a10g.yaml", "--json").out());
    assertThat(json.path("assumed").valueStream().map(JsonNode::asString))
        .contains("usd_per_hour " + name);
    assertThat(json.path("prices").path("dates").path(name).asString()).isEqualTo("2026-07-20");
    assertThat(json.path("prices").path("notes").path(0).asString()).contains("unavailable");
  }

  @Test
  void frontierAndInfeasibleScreensMarkReplacedPrices() throws IOException {
    setUp(folder.resolve("home/clouds.yaml"));
    Files.writeString(folder.resolve("job.yaml"), JOB);
    Files.writeString(folder.resolve("a10g.yaml"), PROFILE);
    String[] frontier = {"plan", "job.yaml", "--profile", "a10g.yaml", "--frontier"};
    String[] infeasible = {"plan", "job.yaml", "--profile", "a10g.yaml", "--deadline", "2m"};
    assertThat(run(frontier).out()).contains("$0.").doesNotContain("~$");
    assertThat(failing(infeasible)).contains("$0.").doesNotContain("~$");

    aws.deny(Set.of("pricing:GetProducts"));
    String screen = run(frontier).out();
    assertThat(screen.substring(screen.indexOf("Time–cost frontier")))
        .contains("~$0.")
        .doesNotContainPattern("[^~]\\$0\\.");
    assertThat(failing(infeasible))
        .containsPattern("fastest plan: ~\\w+ for ~\\$0\\.\\d+ · cheapest plan: ~\\$0\\.");
  }

  /** Returns both outputs of a command that finds no plan. */
  private String failing(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.out()).isEqualTo(10);
    return result.out() + result.err();
  }

  @Test
  void missingCredentialsFallBackToShippedTable() throws IOException {
    setUp(folder.resolve("home/clouds.yaml"));
    List.of("aws.accessKeyId", "aws.secretAccessKey").forEach(System::clearProperty);
    NO_CREDENTIALS.forEach(System::setProperty);
    InProcessCli.Result result = run("offers", "--gpu", "A10G");
    NO_CREDENTIALS.keySet().forEach(System::clearProperty);
    assertThat(result.err())
        .contains(
            "Live prices are unavailable: there are no usable AWS credentials: none found; log in");
    assertThat(result.out()).contains("aws, shipped table: spot 2025-07, on demand 2026-07-20");
  }

  private void setUp(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, SETTINGS);
  }

  private InProcessCli.Result run(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
