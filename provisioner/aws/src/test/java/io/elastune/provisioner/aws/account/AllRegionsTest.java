package io.elastune.provisioner.aws.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.TaggedInstance;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.aws.offers.ShippedOffers;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that calls for several regions are in progress at the same time: the fake AWS answers none
 * of them before the calls for all regions have arrived.
 */
@Timeout(120)
class AllRegionsTest {
  private static final List<String> REGIONS =
      Stream.of(
              "us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 sa-east-1 eu-west-1 eu-west-2"
                  + " eu-west-3 eu-central-1 eu-north-1 ap-south-1 ap-southeast-1 ap-southeast-2"
                  + " ap-northeast-1 ap-northeast-2 ap-northeast-3")
          .flatMap(names -> Stream.of(names.split(" ", -1)))
          .toList();

  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
  @TempDir private Path home;

  @Test
  void listsInstances() {
    world.fake().holdUntil("DescribeInstances", REGIONS.size());
    try (CloudAccount account = account()) {
      assertThat(account.instances(places())).isEmpty();
    }
    assertThat(world.fake().calls("DescribeInstances")).isEqualTo(REGIONS.size());
  }

  @Test
  void terminatesInstances() {
    List<TaggedInstance> instances = instances();
    world.fake().holdUntil("TerminateInstances", REGIONS.size());
    try (CloudAccount account = account()) {
      account.terminate(instances);
    }
    assertThat(world.fake().calls("TerminateInstances")).isEqualTo(REGIONS.size());
    assertThat(instances).allMatch(this::isEnding);
  }

  @Test
  void terminatesInTheOtherRegionsIfOneFails() {
    List<TaggedInstance> instances = instances();
    world.fake().denyRegion("us-east-1");
    try (CloudAccount account = account()) {
      assertThatThrownBy(() -> account.terminate(instances)).isInstanceOf(CloudException.class);
    }
    assertThat(instances)
        .allMatch(instance -> isEnding(instance) != instance.region().equals("us-east-1"));
  }

  /** Every region has at least one quota. */
  @Test
  void queriesQuotas() {
    assertThat(REGIONS).allMatch(region -> !ShippedOffers.onDemandUsdPerHour(region).isEmpty());
    world.fake().holdUntil("GetServiceQuota", REGIONS.size());
    try (CloudAccount account = account()) {
      assertThat(account.offers(places()).quotas()).hasSizeGreaterThanOrEqualTo(REGIONS.size());
    }
  }

  private boolean isEnding(TaggedInstance instance) {
    return List.of("shutting-down", "terminated")
        .contains(world.fake().ec2().stateOf(instance.id()));
  }

  private List<TaggedInstance> instances() {
    List<TaggedInstance> instances = new ArrayList<>();
    for (String region : REGIONS) {
      String id = world.fake().ec2().add("g5.xlarge", Map.of(Tags.RUN, "r1"));
      instances.add(
          new TaggedInstance(
              "aws",
              region,
              id,
              "g5.xlarge",
              "r1",
              "ana",
              Optional.empty(),
              OptionalDouble.empty()));
    }
    return instances;
  }

  private static List<String> places() {
    return REGIONS.stream().map(region -> "aws/" + region).toList();
  }

  private CloudAccount account() {
    return new AwsCloudProvider()
        .account(new CloudContext(home, home.resolve("clouds.yaml"), AwsTestEnvironment.TIME))
        .orElseThrow();
  }
}
