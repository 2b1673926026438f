package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;

class LaunchRequestMapperTest {
  @Test
  void launchTemplateFillsMissingSettings() {
    RegionSettings settings =
        new RegionSettings(
            Optional.empty(),
            Optional.of("lt-0f"),
            Map.of(),
            List.of(),
            Optional.empty(),
            Optional.of("my-key"),
            Optional.empty(),
            Duration.ofDays(1));
    RunInstancesRequest request =
        LaunchRequestMapper.request(order(settings, Optional.empty()), false);

    assertThat(request.launchTemplate().launchTemplateId()).isEqualTo("lt-0f");
    assertThat(request.imageId()).isNull();
    assertThat(request.subnetId()).isNull();
    assertThat(request.hasSecurityGroupIds()).isFalse();
    assertThat(request.iamInstanceProfile()).isNull();
    assertThat(request.keyName()).isEqualTo("my-key");
  }

  @Test
  void usesSubnetOfZone() {
    RunInstancesRequest request =
        LaunchRequestMapper.request(
            order(AwsTestEnvironment.settings(), Optional.of("us-east-1b")), false);
    assertThat(request.placement().availabilityZone()).isEqualTo("us-east-1b");
    assertThat(request.subnetId()).isEqualTo("subnet-0b");
    assertThat(request.launchTemplate()).isNull();
    assertThat(request.clientToken()).isEqualTo("token");
  }

  @Test
  void toStringOmitsScript() {
    assertThat(order(AwsTestEnvironment.settings(), Optional.empty()).toString())
        .doesNotContain("hush", "secret-tag");
  }

  private static LaunchRequest order(RegionSettings settings, Optional<String> zone) {
    return new LaunchRequest(
        "token",
        "g5.xlarge",
        Market.ON_DEMAND,
        zone,
        settings,
        Map.of("a", "secret-tag"),
        "hush",
        OptionalDouble.empty());
  }
}
