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

/** Tests live prices of a configured account, with the real SDK and a fake AWS. */
class LiveOffersCommandTest {
  private static final String SETTINGS = "aws: {us-east-1: {image: ami-01}}\n";

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
  void missingPermissionFallsBackToShippedTable() throws IOException {
    setUp(folder.resolve("home/clouds.yaml"));
    aws.deny(Set.of("pricing:GetProducts"));
    InProcessCli.Result result = run("offers", "--infra", "aws/us-east-1");
    assertThat(result.err()).contains("Live prices are unavailable", "pricing:GetProducts");
    assertThat(result.out()).contains("aws, shipped table: spot 2025-07, on demand 2026-07-20");
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
