package io.elastune.provisioner.gcp.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.ParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CloudsFileTest {
  private static final String IMAGE = "projects/my-project/global/images/family/gpu-nodes";

  @Test
  void parsesAllFields() {
    ProjectSettings settings =
        read(
            """
            aws: {anything: of its own}
            gcp:
              project: my-project
              regions:
                us-central1:
                  image: projects/my-project/global/images/family/gpu-nodes
                  zones: [us-central1-b, us-central1-a]
                  subnetwork: elastune
                  network_tags: [elastune]
                  service_account: node@my-project.iam.gserviceaccount.com
                  disk_gb: 200
                  disk_type: pd-balanced
                  public_address: true
                  secure_boot: true
                  bucket: my_checkpoints
                  max_lifetime: 6h
                  metadata: {install-nvidia-driver: 'True'}
                  reservations: {a3-ultragpu-8g: my-reservation}
                  flex_start: [a3-highgpu-8g]
                europe-west4: {image: projects/my-project/global/images/family/gpu-nodes}
            """);
    RegionSettings central = settings.regions().get("us-central1");
    assertThat(settings.project()).contains("my-project");
    assertThat(settings.regions().keySet()).containsExactly("us-central1", "europe-west4");
    assertThat(central)
        .isEqualTo(
            new RegionSettings(
                IMAGE,
                List.of("us-central1-b", "us-central1-a"),
                Optional.of("elastune"),
                List.of("elastune"),
                Optional.of("node@my-project.iam.gserviceaccount.com"),
                200,
                Optional.of("pd-balanced"),
                true,
                true,
                Optional.of("my_checkpoints"),
                false,
                Duration.ofHours(6),
                new LaunchOptions(
                    Map.of("install-nvidia-driver", "True"),
                    Map.of("a3-ultragpu-8g", "my-reservation"),
                    Set.of("a3-highgpu-8g"))));
  }

  @Test
  void refusesPublicAddressInDefaultNetworkAndItemsOfElastune() {
    ParseResult<Optional<ProjectSettings>> parseResult =
        CloudsFile.parse(
            "clouds.yaml",
            """
            gcp:
              regions:
                us-central1:
                  image: projects/my-project/global/images/family/gpu-nodes
                  public_address: true
                  metadata: {startup-script: echo, elastune-expires: '0'}
                europe-west4:
                  image: projects/my-project/global/images/family/gpu-nodes
                  max_lifetime: 10d
                  flex_start: [g2-standard-4]
            """);
    assertThat(parseResult.problems())
        .extracting(Object::toString)
        .anyMatch(line -> line.startsWith("clouds.yaml:6:") && line.contains("startup-script"))
        .anyMatch(line -> line.startsWith("clouds.yaml:6:") && line.contains("elastune-expires"))
        .anyMatch(line -> line.startsWith("clouds.yaml:9:") && line.contains("at most 7d"));
    assertThat(
            CloudsFile.parse(
                    "clouds.yaml",
                    "gcp: {regions: {us-central1: {image: a/b, public_address: true}}}")
                .problems())
        .singleElement()
        .asString()
        .contains("opens port 22 to the internet");
  }

  @Test
  void hasSafeDefaults() {
    RegionSettings settings =
        read("gcp: {regions: {europe-west4: {image: " + IMAGE + "}}}")
            .regions()
            .get("europe-west4");
    assertThat(settings.publicAddress()).isFalse();
    assertThat(settings.serviceAccount()).isEmpty();
    assertThat(settings.maxLifetime()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void fileWithoutGcpSectionIsEmpty() {
    assertThat(CloudsFile.parse("clouds.yaml", "aws: {x: y}").orThrow()).isEmpty();
  }

  @Test
  void reportsAllProblemsWithLines() {
    ParseResult<Optional<ProjectSettings>> parseResult =
        CloudsFile.parse(
            "clouds.yaml",
            """
            gcp:
              project: My Project
              regions:
                us-central1:
                  zones: [us-central1]
                  max_lifetime: 200d
                  imag: x
            """);
    assertThat(parseResult).isInstanceOf(ParseResult.InvalidFile.class);
    List<FileProblem> problems =
        ((ParseResult.InvalidFile<Optional<ProjectSettings>>) parseResult).problems();
    assertThat(problems)
        .extracting(FileProblem::toString)
        .anySatisfy(text -> assertThat(text).contains("clouds.yaml:2", "gcp.project"))
        .anySatisfy(text -> assertThat(text).contains("clouds.yaml:5", "zones"))
        .anySatisfy(text -> assertThat(text).contains("clouds.yaml:7", "imag", "image"));
  }

  private static ProjectSettings read(String text) {
    return CloudsFile.parse("clouds.yaml", text).orThrow().orElseThrow();
  }

  @Test
  void mistypedRegionIsReported() {
    String text =
        """
        gcp:
          regions:
            us-cnetral1: {image: a/b}
            us-moon1: {image: a/b, new_region: true}
        """;
    assertThat(CloudsFile.parse("clouds.yaml", text).problems())
        .extracting(Object::toString)
        .containsExactly(
            "clouds.yaml:3: gcp.regions.us-cnetral1: is no region of Google Cloud that this version"
                + " of Elastune knows (did you mean us-central1? Set new_region: true in it to use"
                + " it nevertheless)");
  }

  /** The shipped prices are those of regions with GPUs. */
  @Test
  void everyRegionWithShippedPricesIsKnown() throws IOException {
    Path prices = Path.of("src/main/resources/io/elastune/provisioner/gcp/offers/prices");
    try (Stream<Path> files = Files.list(prices)) {
      List<String> regions =
          files.map(file -> file.getFileName().toString().replace(".csv", "")).toList();
      assertThat(regions).hasSizeGreaterThan(20);
      for (String region : regions) {
        String text = "gcp: {regions: {" + region + ": {image: a/b}}}";
        assertThat(CloudsFile.parse("clouds.yaml", text).problems()).as(region).isEmpty();
      }
    }
  }
}
