package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The instances of a run form one cluster, so their networks must reach each other. */
class SeveralRegionsTest {
  private static final String OFFER =
      "  - {infra: %s, instance_type: %s, gpu: cpu, gpus: 1, market: on-demand,"
          + " usd_per_hour: 1, price: list, billing: {per: instance, granularity_s: 1,"
          + " minimum_s: 0, per_use_usd: 0}, queue_s: {mean: 2, cv: 0}, boot_s: {mean: 4, cv: 0},"
          + " data_in_usd: 0, disk_usd_per_hour: 0}";
  private static final String TYPE = "g5.xlarge";
  private static final String OF_AWS =
      "resources.infra: the instances of a run form one cluster, and the networks of us-east-1 and"
          + " us-west-2 do not reach each other";
  private static final String REMEDY =
      "name one region in resources.infra or --infra; if the networks are peered, name the regions"
          + " in rented_nodes.connected_regions of clouds.yaml";

  @TempDir private Path folder;

  private String job(String one, String other) throws IOException {
    return new TinyJob("tiny")
        .search("{algorithm: random, trials: 2, ", "max: 2")
        .with("budget", "{usd: 10}")
        .location(
            one + ", " + other, List.of(OFFER.formatted(one, TYPE), OFFER.formatted(other, TYPE)))
        .write(folder.resolve("job"))
        .toString();
  }

  private String awsJob() throws IOException {
    return job("aws/us-east-1", "aws/us-west-2/us-west-2a");
  }

  private void clouds(String text) throws IOException {
    Files.createDirectories(folder.resolve("home"));
    Files.writeString(folder.resolve("home/clouds.yaml"), text);
  }

  private InProcessCli.Result run(String... arguments) {
    return new InProcessCli(folder).run(arguments);
  }

  private String plan(String job) {
    return run("plan", job).out().replaceAll("\\s+", " ");
  }

  private static int lineOfResources(String job) throws IOException {
    List<String> lines = Files.readAllLines(Path.of(job));
    return 1
        + lines.indexOf(lines.stream().filter(l -> l.startsWith("resources")).findFirst().get());
  }

  @Test
  void regionsWithoutAConnectionAreRefusedBeforeAnythingIsRented() throws IOException {
    String job = awsJob();
    String place = "job/job.yaml:" + lineOfResources(job) + ": " + OF_AWS;

    InProcessCli.Result started = run("run", job, "-y");
    assertThat(started.exit()).isEqualTo(2);
    assertThat(started.err()).contains(place + " (" + REMEDY + ")");
    assertThat(folder.resolve("home/runs")).doesNotExist();
    assertThat(plan(job)).contains("This plan cannot be started: " + place + " (" + REMEDY + ")");
    InProcessCli.Result checked = run("check", job);
    assertThat(checked.exit()).isEqualTo(2);
    assertThat(checked.out().replaceAll("\\s+", " ")).contains(place, "locations: " + REMEDY);
  }

  @Test
  void zonesOfOneRegionAreOneNetwork() throws IOException {
    String job = job("aws/us-east-1/us-east-1a", "aws/us-east-1/us-east-1b");

    assertThat(plan(job)).contains("tiny").doesNotContain("cannot be started");
    assertThat(run("check", job).out()).doesNotContain("do not reach");
  }

  @Test
  void theUserStatesThatRegionsAreConnected() throws IOException {
    String job = awsJob();
    clouds("rented_nodes: {connected_regions: [us-west-2, us-east-1, eu-west-1]}\n");

    assertThat(plan(job)).contains("tiny").doesNotContain("cannot be started");
  }

  @Test
  void aStatementWithoutOneOfTheRegionsDoesNotSuffice() throws IOException {
    String job = awsJob();
    clouds("rented_nodes: {connected_regions: [us-east-1, us-east-2]}\n");

    assertThat(plan(job)).contains(OF_AWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "us-east-1",
        "[]",
        "[us_east_1]",
        "[us-east-1, us-east-1]",
        "[{region: a}]",
        "[1]"
      })
  void invalidStatementsAreNamedWithTheirLine(String value) throws IOException {
    String job = awsJob();
    clouds("rented_nodes:\n  connected_regions: " + value + "\n");

    InProcessCli.Result started = run("run", job, "-y");
    assertThat(started.exit()).isEqualTo(2);
    assertThat(started.err()).contains("clouds.yaml:2: rented_nodes.connected_regions");
  }

  /** A network of Google Cloud spans all regions. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rented_nodes: {}",
        "gcp: {regions: {us-central1: {image: i}, us-east1: {image: i}}}",
        "gcp: {regions: {us-central1: {image: i, subnetwork: a}, us-east1: {image: i, subnetwork: b}}}"
      })
  void regionsOfGoogleCloudAreConnected(String clouds) throws IOException {
    String job = job("gcp/us-central1", "gcp/us-east1");
    clouds(clouds + "\n");

    assertThat(plan(job)).contains("tiny").doesNotContain("cannot be started");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "projects/host/regions/us-central1/subnetworks/a"})
  void differentNetworksOfGoogleCloudAreNot(String subnetwork) throws IOException {
    String job = job("gcp/us-central1", "gcp/us-east1");
    clouds(
        "gcp: {regions: {us-central1: {image: i, subnetwork: "
            + subnetwork
            + "}, us-east1: {image: i}}}\n");

    assertThat(plan(job)).contains("the networks of us-central1 and us-east1 do not reach");
  }

  /** Each model is profiled by a run of its own. */
  @Test
  void profilingMayUseSeveralRegions() throws IOException {
    assertThat(run("profile", awsJob()).err()).doesNotContain("do not reach each other");
  }
}
