package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RegionBucketsTest {
  private static final Map<String, Optional<String>> BUCKETS = buckets();

  private static Map<String, Optional<String>> buckets() {
    Map<String, Optional<String>> buckets = new LinkedHashMap<>();
    buckets.put("us-west-2", Optional.empty());
    buckets.put("us-east-1", Optional.of("east"));
    buckets.put("eu-west-1", Optional.of("europe"));
    return buckets;
  }

  private static Optional<String> select(String... places) {
    return RegionBuckets.select("aws", List.of(places), BUCKETS);
  }

  @Test
  void firstPlaceWithBucketCounts() {
    assertThat(select("aws/us-west-2", "aws/eu-west-1/eu-west-1a", "aws/us-east-1"))
        .contains("europe");
    assertThat(select("aws/us-west-2", "aws/ap-south-1", "gcp/us-east-1", "aws")).isEmpty();
  }

  @Test
  void withoutPlaceFirstRegionWithBucketCounts() {
    assertThat(select()).contains("east");
  }
}
