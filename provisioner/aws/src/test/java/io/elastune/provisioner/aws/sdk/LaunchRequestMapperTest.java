package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.aws.model.Images;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.model.RegionSettingsBuilder;
import io.elastune.provisioner.aws.model.Reservations;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ec2.model.BlockDeviceMapping;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;

class LaunchRequestMapperTest {
  @Test
  void launchTemplateFillsMissingSettings() {
    RegionSettings settings =
        RegionSettingsBuilder.builder(AwsTestEnvironment.settings())
            .images(Images.NONE)
            .launchTemplate(Optional.of("lt-0f"))
            .subnets(Map.of())
            .securityGroups(List.of())
            .instanceProfile(Optional.empty())
            .key(Optional.of("my-key"))
            .build();
    RunInstancesRequest request =
        LaunchRequestMapper.request(order(settings, Optional.empty()), false);

    assertThat(request.launchTemplate().launchTemplateId()).isEqualTo("lt-0f");
    assertThat(request.imageId()).isNull();
    assertThat(request.hasNetworkInterfaces()).isFalse();
    assertThat(request.hasBlockDeviceMappings()).isFalse();
    assertThat(request.iamInstanceProfile()).isNull();
    assertThat(request.keyName()).isEqualTo("my-key");
  }

  @Test
  void usesSubnetOfZone() {
    RunInstancesRequest request =
        LaunchRequestMapper.request(
            order(AwsTestEnvironment.settings(), Optional.of("us-east-1b")), false);
    assertThat(request.placement().availabilityZone()).isEqualTo("us-east-1b");
    assertThat(request.subnetId()).isNull(); // EC2 refuses it beside network interfaces
    assertThat(request.networkInterfaces().get(0).subnetId()).isEqualTo("subnet-0b");
    assertThat(request.launchTemplate()).isNull();
    assertThat(request.clientToken()).isEqualTo("token");
  }

  @Test
  void launchesWithEncryptedDiskIntoReservedCapacity() {
    RegionSettings settings =
        RegionSettingsBuilder.builder(AwsTestEnvironment.settings())
            .subnets(Map.of())
            .securityGroups(List.of())
            .publicAddress(true)
            .diskGb(OptionalInt.of(200))
            .rootDevice("/dev/xvda")
            .reservations(
                new Reservations(Map.of("g5.xlarge", "cr-01"), Map.of("p5.48xlarge", "cr-02")))
            .build();
    RunInstancesRequest request =
        LaunchRequestMapper.request(order(settings, Optional.empty()), false);
    BlockDeviceMapping disk = request.blockDeviceMappings().get(0);
    assertThat(disk.deviceName()).isEqualTo("/dev/xvda");
    assertThat(disk.ebs().volumeSize()).isEqualTo(200);
    assertThat(disk.ebs().volumeTypeAsString()).isEqualTo("gp3");
    assertThat(disk.ebs().encrypted()).isTrue();
    assertThat(disk.ebs().deleteOnTermination()).isTrue();
    assertThat(request.networkInterfaces().get(0).associatePublicIpAddress()).isTrue();
    assertThat(reservation(request)).isEqualTo("cr-01");
    assertThat(request.instanceMarketOptions()).isNull();

    RunInstancesRequest block =
        LaunchRequestMapper.request(order("p5.48xlarge", settings, Optional.empty()), false);
    assertThat(reservation(block)).isEqualTo("cr-02");
    assertThat(block.instanceMarketOptions().marketTypeAsString()).isEqualTo("capacity-block");
  }

  private static String reservation(RunInstancesRequest request) {
    return request
        .capacityReservationSpecification()
        .capacityReservationTarget()
        .capacityReservationId();
  }

  @Test
  void toStringOmitsScript() {
    assertThat(order(AwsTestEnvironment.settings(), Optional.empty()).toString())
        .doesNotContain("hush", "secret-tag");
  }

  private static LaunchRequest order(RegionSettings settings, Optional<String> zone) {
    return order("g5.xlarge", settings, zone);
  }

  private static LaunchRequest order(String type, RegionSettings settings, Optional<String> zone) {
    return new LaunchRequest(
        "token", type, Market.ON_DEMAND, zone, settings, Map.of("a", "secret-tag"), "hush");
  }
}
