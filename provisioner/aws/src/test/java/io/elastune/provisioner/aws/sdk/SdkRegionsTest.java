package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SdkRegionsTest {
  @Test
  void everyRegionWithShippedPricesIsKnown() throws IOException {
    Path prices = Path.of("src/main/resources/io/elastune/provisioner/aws/offers/prices");
    try (Stream<Path> files = Files.list(prices)) {
      List<String> regions =
          files.map(file -> file.getFileName().toString().replace(".csv", "")).toList();
      assertThat(regions).hasSizeGreaterThan(20);
      assertThat(SdkRegions.names()).containsAll(regions).contains("us-gov-west-1");
    }
    assertThat(SdkRegions.names()).doesNotContain("aws-global");
  }
}
