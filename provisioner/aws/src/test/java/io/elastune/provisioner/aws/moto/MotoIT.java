package io.elastune.provisioner.aws.moto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.TaggedInstance;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.aws.cloud.AwsCloud;
import io.elastune.provisioner.aws.model.Images;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.model.RegionSettingsBuilder;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.sdk.SdkPriceList;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the EC2 calls against moto, an independent EC2 simulation. What moto does not support is
 * listed in {@code moto-gaps.md} in the test resources.
 */
class MotoIT {
  /** An image that moto knows. */
  private static final String IMAGE = "ami-12c6146b";

  private static final List<String> PROPERTIES =
      List.of("aws.endpointUrl", "aws.accessKeyId", "aws.secretAccessKey", "aws.region");
  private static Moto moto;

  private final RecordedEvents events = new RecordedEvents();
  @TempDir private Path home;
  private Cloud cloud;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(
        Moto.isThere(), "python3 -m moto.server is not installed (pip install 'moto[server]')");
    moto = Moto.start();
    System.setProperty("aws.endpointUrl", moto.url());
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    System.setProperty("aws.region", AwsTestEnvironment.REGION);
  }

  @AfterAll
  static void stop() {
    if (moto != null) {
      moto.close();
    }
    PROPERTIES.forEach(System::clearProperty);
  }

  @BeforeEach
  void open() {
    cloud = open(events);
  }

  static Cloud open(Consumer<CloudEvent> consumer) {
    RegionSettings settings =
        RegionSettingsBuilder.builder(AwsTestEnvironment.settings())
            .images(Images.of(IMAGE))
            .subnets(Map.of())
            .securityGroups(List.of())
            .instanceProfile(Optional.empty())
            .build();
    return AwsCloud.open(
        Map.of(AwsTestEnvironment.REGION, settings),
        SdkEc2::new,
        region -> new SdkPriceList(region, AwsTestEnvironment.TIME),
        AwsTestEnvironment.TIME,
        AwsTestEnvironment.FAST,
        consumer);
  }

  @AfterEach
  void close() {
    cloud.close();
  }

  @Test
  void listsAndTerminatesInstancesByTag() {
    List<String> leases =
        List.of(
            TestLeaseRequests.RUN + "-1",
            TestLeaseRequests.RUN + "-2",
            TestLeaseRequests.RUN + "-3");
    leases.forEach(lease -> cloud.request(TestLeaseRequests.of(lease)));
    until(() -> leases.stream().allMatch(lease -> events.has(Running.class, lease)));
    cloud.list(TestLeaseRequests.RUN);
    until(() -> events.lists().size() == 1);
    assertThat(events.lists().get(0).instances())
        .extracting(InstanceInfo::lease)
        .containsExactlyInAnyOrderElementsOf(leases);

    try (CloudAccount account = account()) {
      assertThat(account.instances(List.of("aws/us-east-1")))
          .extracting(TaggedInstance::owner)
          .containsExactly("tester", "tester", "tester");
    }
    leases.forEach(cloud::release);
    until(() -> leases.stream().allMatch(lease -> events.has(Terminated.class, lease)));
    cloud.list(TestLeaseRequests.RUN);
    until(() -> events.lists().size() == 2);
    assertThat(events.lists().get(1).instances()).isEmpty();
  }

  @Test
  void adoptsInstanceOfEarlierController() {
    String lease = TestLeaseRequests.RUN + "-9";
    cloud.request(TestLeaseRequests.of(lease));
    until(() -> events.has(Running.class, lease));
    Running first = events.first(Running.class, lease);
    cloud.close();
    RecordedEvents later = new RecordedEvents();
    try (Cloud next = open(later)) {
      next.adopt(TestLeaseRequests.of(lease));
      TestWait.until(() -> later.has(Running.class, lease), later);
      assertThat(later.first(Running.class, lease)).isEqualTo(first);
      next.release(lease);
      TestWait.until(() -> later.has(Terminated.class, lease), later);
    }
  }

  @Test
  void unknownLeaseIsTerminated() {
    cloud.release("unknown-1");
    until(() -> events.has(Terminated.class, "unknown-1"));
  }

  @Test
  void terminatesOrphans() {
    cloud.request(TestLeaseRequests.of(TestLeaseRequests.RUN + "-7"));
    until(() -> events.has(Running.class, TestLeaseRequests.RUN + "-7"));
    cloud.close();
    try (CloudAccount account = account()) {
      account.terminate(account.instances(List.of("aws/us-east-1")));
      TestWait.until(() -> account.instances(List.of("aws/us-east-1")).isEmpty(), "orphans");
    }
  }

  private CloudAccount account() {
    return new AwsCloudProvider()
        .account(new CloudContext(home, home.resolve("clouds.yaml"), AwsTestEnvironment.TIME))
        .orElseThrow();
  }

  private void until(BooleanSupplier condition) {
    TestWait.until(condition, events);
  }
}
