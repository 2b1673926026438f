package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.aws.model.Images;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.model.RegionSettingsBuilder;
import io.elastune.provisioner.aws.model.Reservations;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.ScriptedSetup;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests launches with parameters and at times that the real EC2 refuses. */
class LaunchParametersTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";
  private static final String TEMPLATE = "lt-0e";

  private RegionSettings settings = AwsTestEnvironment.settings();

  @Order(1)
  @RegisterExtension
  private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(this::open);

  private Cloud open(Consumer<CloudEvent> events) {
    settings =
        RegionSettingsBuilder.builder(settings)
            .images(new Images(Map.of("x86_64", "ami-01")))
            .launchTemplate(Optional.of(TEMPLATE))
            .diskGb(OptionalInt.of(50))
            .build();
    return world.open(settings, AwsTestEnvironment.FAST, events);
  }

  private static LeaseRequest of(String type) {
    return TestLeaseRequests.of(LEASE, "aws/us-east-1", type, Market.ON_DEMAND);
  }

  @Test
  void refusesTypeWithoutImageOfItsArchitecture() {
    Refused refused = testCloud.refused(of("g5g.xlarge"));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(refused.message()).contains("no image of architecture arm64 for g5g.xlarge");
    assertThat(world.fake().calls("RunInstances")).isZero();
  }

  @Test
  void refusalNamesDiskSmallerThanImage() {
    Refused refused = testCloud.refused(of("g5.xlarge"));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(refused.message()).contains("smaller than snapshot");
  }

  /** The longest setup with characters of two bytes, a long lease, and a capacity block. */
  @Test
  void launchesWithinLimitsOfParameters() {
    String lease = "x".repeat(200);
    testCloud.reopen(
        events ->
            world.open(
                settings(
                    Optional.empty(), new Reservations(Map.of(), Map.of("p4d.24xlarge", "cr-01"))),
                AwsTestEnvironment.FAST,
                events));
    testCloud.ready(
        SampleLeaseRequests.withSetup(
            TestLeaseRequests.of(lease), ScriptedSetup.setup("é".repeat(2990), 0)));
    testCloud.ready(TestLeaseRequests.of(LEASE, "aws/us-east-1", "p4d.24xlarge", Market.ON_DEMAND));
    assertThat(world.fake().ec2().launchCall(LEASE))
        .containsEntry("InstanceMarketOptions.MarketType", "capacity-block");
  }

  @Test
  void terminatesInstanceOfProtectingTemplate() {
    world.fake().ec2().rules().addProtectingTemplate(TEMPLATE);
    testCloud.reopen(
        events ->
            world.open(
                settings(Optional.of(TEMPLATE), Reservations.NONE),
                AwsTestEnvironment.FAST,
                events));
    testCloud.ready(of("g5.xlarge"));
    testCloud.cloud().release(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(world.fake().ec2().runningLeases()).isEmpty();
  }

  private static RegionSettings settings(Optional<String> template, Reservations reservations) {
    return RegionSettingsBuilder.builder(AwsTestEnvironment.settings())
        .launchTemplate(template)
        .reservations(reservations)
        .build();
  }
}
