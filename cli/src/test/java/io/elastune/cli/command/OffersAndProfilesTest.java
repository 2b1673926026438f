package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.GoldenFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands {@code offers} and {@code profiles}. */
class OffersAndProfilesTest {
  private static final String OFFERS = ExampleFiles.WORKED.resolve("offers.yaml").toString();

  @TempDir Path folder;

  @BeforeEach
  void keepAProfile() throws IOException {
    Path profiles = Files.createDirectories(folder.resolve("home/profiles"));
    Files.copy(ExampleFiles.WORKED.resolve("profile.yaml"), profiles.resolve("worked-V100-0.yaml"));
  }

  @Test
  void listsOffersWithSourceDateAndPrice() {
    GoldenFiles.check("offers", run("offers", "--offers", OFFERS).out());
  }

  @Test
  void filtersOffers() {
    var all = run("offers", "--offers", OFFERS, "--gpu", "V100", "--infra", "aws", "--json").json();
    assertThat(all.path("source").asString()).isEqualTo("AWS price list");
    assertThat(all.path("offers").path(0).path("usd_per_hour").asDouble()).isEqualTo(12.24);
    assertThat(run("offers", "--offers", OFFERS, "--gpu", "A100", "--json").json().path("offers"))
        .isEmpty();
    assertThat(
            run("offers", "--offers", OFFERS, "--infra", "aws/us", "--json").json().path("offers"))
        .isEmpty();
  }

  @Test
  void listsLocalOffersWithoutFile() {
    assertThat(run("offers").out()).contains("local/core/on-demand", "notional");
  }

  @Test
  void listsShippedAwsOffers() {
    GoldenFiles.check(
        "offers-aws", run("offers", "--infra", "aws/us-east-1", "--gpu", "A10G").out());
  }

  @Test
  void gpuModelsInLowerCaseAreEqual() {
    String upper = run("offers", "--infra", "aws/us-east-1", "--gpu", "A10G").out();
    assertThat(run("offers", "--infra", "aws/us-east-1", "--gpu", "a10g").out()).isEqualTo(upper);
    assertThat(run("offers", "--gpu", "a10g,l4").out()).contains("A10G", "L4");
  }

  @Test
  void filtersOffersByTypeAndMarket() {
    String[] types = {"offers", "--infra", "aws/us-east-1", "--instance-types", "g5.xlarge"};
    var offers = run(types[0], types[1], types[2], types[3], types[4], "--json").json();
    assertThat(offers.path("offers").size()).isEqualTo(2);
    assertThat(run("offers", "--offers", OFFERS, "--market", "spot").out())
        .contains("no matching offers");
    InProcessCli.Result wrong = new InProcessCli(folder).run("offers", "--market", "spott");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).startsWith("--market: must be on-demand or spot, not 'spott'");
  }

  @Test
  void unknownGpuListsTheKnownOnes() {
    String out = run("offers", "--infra", "aws/us-east-1", "--gpu", "foo").out();
    assertThat(out)
        .containsPattern("no offer has the GPU foo; known: .*A10G, .*H100, .*L4, .*V520");
  }

  @Test
  void typeOfAnotherMarketIsNamed() {
    assertThat(
            run(
                    "offers",
                    "--infra",
                    "gcp/us-central1",
                    "--instance-types",
                    "a3-highgpu-1g",
                    "--market",
                    "on-demand")
                .out())
        .contains(
            "no matching offers",
            "offered only on spot: a3-highgpu-1g",
            "a3-highgpu-1g is not sold on demand, only as: flex-start, spot");
    assertThat(
            run("offers", "--infra", "gcp/us-central1", "--instance-types", "a3-ultragpu-8g").out())
        .contains("a3-ultragpu-8g is not sold on demand, only as: flex-start, reservation, spot");
    assertThat(run("offers", "--infra", "aws/us-east-1", "--instance-types", "p5e.48xlarge").out())
        .contains("p5e.48xlarge is not sold on demand, only as: capacity-block");
  }

  @Test
  void reportsRegionWithoutPrices() {
    InProcessCli.Result result = new InProcessCli(folder).run("offers", "--infra", "aws/eu-west-9");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("no shipped prices for aws/eu-west-9", "--offers FILE");
  }

  @Test
  void listsShowsAndRemovesProfiles() {
    assertThat(run("profiles", "list").out())
        .contains("worked-V100-0", "synthetic", "n=40", "n of runs");
    assertThat(run("profiles", "list", "--json").json().path(0).path("samples_of_runs").asInt(-1))
        .isZero();
    assertThat(run("profiles", "list", "--json").json().path(0).path("gpu").asString())
        .isEqualTo("V100");
    assertThat(run("profiles", "show", "worked-V100-0").out()).contains("gpu: V100");
    assertThat(run("profiles", "show", "worked-V100-0", "--json").json().path("unit").asString())
        .isEqualTo("epoch");
    assertThat(run("profiles", "rm", "worked-V100-0").out()).isEqualTo("Removed worked-V100-0.\n");
    assertThat(run("profiles", "list").out()).startsWith("No stored profiles.");
  }

  @Test
  void suggestsNearestProfile() {
    InProcessCli.Result result = new InProcessCli(folder).run("profiles", "rm", "worked-V100-1");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("did you mean worked-V100-0?");
  }

  private InProcessCli.Result run(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
