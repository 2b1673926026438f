package io.elastune.provisioner.aws.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.config.FileProblem;
import io.elastune.core.offer.Market;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CloudsFileTest {
  private static final Set<String> REGIONS = Set.of("us-east-1", "us-east-2", "eu-west-1");

  @Test
  void readsCompleteFile() {
    Map<String, RegionSettings> regions =
        CloudsFile.parse(
                "clouds.yaml",
                """
                aws:
                  us-east-1:
                    image: ami-0123456789abcdef0
                    subnets: {us-east-1b: subnet-0b, us-east-1a: subnet-0a}
                    security_groups: [sg-01]
                    instance_profile: elastune-node
                    key: my-key
                    bucket: my-checkpoints
                    max_lifetime: 6h
                  eu-west-1:
                    launch_template: lt-0f
                gcp: {anything: of its own}
                """,
                REGIONS)
            .orThrow();

    RegionSettings east = regions.get("us-east-1");
    assertThat(regions.keySet()).containsExactly("us-east-1", "eu-west-1");
    assertThat(east.bucket()).contains("my-checkpoints");
    assertThat(east.images().forType("g5.xlarge")).contains("ami-0123456789abcdef0");
    assertThat(east.disk()).contains(new Disk(100, Disk.UBUNTU));
    assertThat(east.zones()).containsExactly(Optional.of("us-east-1b"), Optional.of("us-east-1a"));
    assertThat(east.maxLifetime()).isEqualTo(Duration.ofHours(6));
    assertThat(regions.get("eu-west-1").zones()).containsExactly(Optional.empty());
    assertThat(regions.get("eu-west-1").disk()).isEmpty();
    assertThat(regions.get("eu-west-1").maxLifetime()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void readsLaunchParametersOfFamilies() {
    RegionSettings east =
        CloudsFile.parse(
                "clouds.yaml",
                """
                aws:
                  us-east-1:
                    image:
                      x86_64: resolve:ssm:/aws/service/deeplearning/ami/x86_64/base-gpu/latest/ami-id
                      arm64: ami-0a
                    disk_gb: 300
                    root_device: /dev/xvda
                    public_address: true
                    capacity_reservations: {p4d.24xlarge: cr-01}
                    capacity_blocks: {p5.48xlarge: cr-02}
                """,
                REGIONS)
            .orThrow()
            .get("us-east-1");
    assertThat(east.images().forType("g5.xlarge").orElseThrow()).startsWith("resolve:ssm:/aws/");
    assertThat(east.images().forType("g5g.xlarge")).contains("ami-0a");
    assertThat(east.images().forType("p6e-gb200.36xlarge")).contains("ami-0a");
    assertThat(east.images().forType("g6e.xlarge").orElseThrow()).startsWith("resolve:ssm:/aws/");
    assertThat(east.disk()).contains(new Disk(300, "/dev/xvda"));
    assertThat(east.publicAddress()).isTrue();
    assertThat(east.reservations().reservations()).containsEntry("p4d.24xlarge", "cr-01");
    assertThat(east.reservations().blocks()).containsEntry("p5.48xlarge", "cr-02");
  }

  @Test
  void reportsAllProblemsWithTheirLines() {
    List<FileProblem> problems =
        CloudsFile.parse(
                "clouds.yaml",
                """
                aws:
                  us-east-1:
                    imge: ami-01
                    subnets: {us-east-1a: vpc-1}
                    max_lifetime: 5m
                  nowhere:
                    launch_template: lt-0f
                  eu-west-1:
                    key: my-key
                """,
                REGIONS)
            .problems();

    assertThat(problems)
        .extracting(FileProblem::toString)
        .anyMatch(line -> line.startsWith("clouds.yaml:3: aws.us-east-1.imge: "))
        .anyMatch(line -> line.startsWith("clouds.yaml:4: aws.us-east-1.subnets.us-east-1a: "))
        .anyMatch(line -> line.startsWith("clouds.yaml:5: aws.us-east-1.max_lifetime: "))
        .anyMatch(line -> line.startsWith("clouds.yaml:6: aws.nowhere: "))
        .anyMatch(line -> line.contains("image or launch_template must be given"));
  }

  @Test
  void quotaDependsOnFamilyAndMarket() {
    assertThat(code("g5.xlarge", Market.ON_DEMAND)).hasValue("L-DB2E81BA");
    assertThat(code("gr6.4xlarge", Market.SPOT)).hasValue("L-3819A6DF");
    assertThat(code("p4d.24xlarge", Market.ON_DEMAND)).hasValue("L-417A185B");
    assertThat(code("p4d.24xlarge", Market.SPOT)).hasValue("L-7212CCBC");
    assertThat(code("p5.48xlarge", Market.SPOT)).hasValue("L-C4BD4855");
    assertThat(code("t3.micro", Market.ON_DEMAND)).hasValue("L-1216C47A");
    assertThat(code("im4gn.large", Market.SPOT)).hasValue("L-34B43A08");
  }

  /** Before, they counted to the quota of P4, P3 and P2, or to that of standard instances. */
  @Test
  void quotasOfUnknownFamiliesAreUnknown() {
    assertThat(code("p6-b200.48xlarge", Market.SPOT)).isEmpty();
    assertThat(code("p6-b200.48xlarge", Market.ON_DEMAND)).hasValue("L-417A185B");
    assertThat(code("trn1.32xlarge", Market.ON_DEMAND)).isEmpty();
    assertThat(code("inf2.xlarge", Market.SPOT)).isEmpty();
    assertThat(code("dl1.24xlarge", Market.ON_DEMAND)).isEmpty();
    assertThat(code("x1.32xlarge", Market.ON_DEMAND)).isEmpty();
  }

  private static Optional<String> code(String type, Market market) {
    return VcpuQuota.of(type, market).map(VcpuQuota::code);
  }

  @Test
  void mistypedRegionIsReported() {
    String text =
        """
        aws:
          us-esat-2: {launch_template: lt-0f}
          us-moon-1: {launch_template: lt-0f}
          us-moon-2: {launch_template: lt-0f, new_region: true}
        """;
    assertThat(CloudsFile.parse("clouds.yaml", text, REGIONS).problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "clouds.yaml:2: aws.us-esat-2: is no region of AWS that this version of Elastune knows"
                + " (did you mean us-east-2? Set new_region: true in it to use it nevertheless)",
            "clouds.yaml:3: aws.us-moon-1: is no region of AWS that this version of Elastune knows"
                + " (Set new_region: true in it to use it nevertheless)");
    String allowed = "aws: {us-moon-2: {launch_template: lt-0f, new_region: true}}";
    assertThat(CloudsFile.parse("clouds.yaml", allowed, REGIONS).orThrow())
        .containsOnlyKeys("us-moon-2");
  }

  /** YAML has three spellings of true. */
  @Test
  void newRegionIsPermittedInEachSpelling() {
    for (String truth : List.of("true", "True", "TRUE")) {
      String text = "aws: {us-moon-2: {launch_template: lt-0f, new_region: " + truth + "}}";
      assertThat(CloudsFile.parse("clouds.yaml", text, REGIONS).problems()).isEmpty();
    }
    String not = "aws: {us-moon-2: {launch_template: lt-0f, new_region: False}}";
    assertThat(CloudsFile.parse("clouds.yaml", not, REGIONS).problems()).hasSize(1);
  }
}
